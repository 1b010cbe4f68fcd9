import type { OperatorPackage, PackageProblem } from '@/lib/kudo/package/types';
import { checkApi } from './check-api';
import { checkDestruction } from './check-destruction';
import { checkHealthChecks } from './check-health-checks';
import { checkLiveValues } from './check-live-values';
import { checkMeters } from './check-meters';
import { checkObjectNames, checkParameterNames, checkVersions } from './check-names';
import { checkNamespaces } from './check-namespaces';
import { checkDefaults, checkEnums, checkGroups, checkImmutable, checkPickers, checkTraits } from './check-parameters';
import { checkPatches, parametersOfPatches } from './check-patches';
import { checkPlanMetadata } from './check-plan-metadata';
import { checkReadCycles } from './check-read-cycles';
import { checkReferences } from './check-references';
import { checkRendering, type KnownRenderings, verificationData } from './check-rendering';
import { checkPlanShapes, checkPlans, checkTaskReferences, checkTasks } from './check-tasks';
import {
  checkParameterUse,
  checkTemplateReferences,
  checkTemplateSyntax,
  type ScannedTemplates,
  scanTemplates,
} from './check-templates';
import { checkDescriptions, type ParameterCheck } from './parameter-checks';
import { Report, type Verification } from './report';

export type { Verification } from './report';

export interface VerifyOptions {
  readonly checks?: ReadonlySet<ParameterCheck>;
  /** Findings of reading, put first among the warnings. */
  readonly before?: readonly PackageProblem[];
  /** The package is to be installed as it is: what KUDO accepts and only Bravo refuses is a warning. */
  readonly isForInstall?: boolean;
  /** Filled by each verification: the next one renders only what has changed. */
  readonly renderings?: KnownRenderings;
}

/**
 * Verifies a package that could be read: KUDO's checks in KUDO's order and words (KUDO
 * pkg/kudoctl/packages/verifier), then ours. Each finding has file and line. Pure: contacts nothing, resolves nothing.
 */
export function verifyPackage(pkg: OperatorPackage, options: VerifyOptions = {}): Verification {
  const report = new Report(pkg);
  report.warnings.push(...(options.before ?? []));
  const scanned = scanTemplates(report);
  for (const [rule, check] of checksOf(scanned, options)) {
    report.rule = rule;
    check(report);
  }
  return { errors: report.errors, warnings: report.warnings };
}

type Check = (report: Report) => void;

/** Every check with the name of its rule, in the order in which findings are listed. */
function checksOf(scanned: ScannedTemplates, options: VerifyOptions): readonly (readonly [string, Check])[] {
  const { checks, isForInstall = false } = options;
  return [
    ['parameter-names', checkParameterNames],
    ['versions', checkVersions],
    ['tasks', checkTasks],
    ['task-references', checkTaskReferences],
    ['plans', checkPlans],
    ['parameter-use', (report) => checkUses(report, scanned)],
    ['read-cycles', checkReadCycles],
    ['parameters', checkImmutable],
    ['parameters', checkEnums],
    ['parameters', checkDefaults],
    ['parameters', checkTraits],
    ['parameters', checkPickers],
    ['groups', checkGroups],
    ['templates', (report) => checkTemplateSyntax(report, scanned)],
    ['template-references', checkTemplateReferences],
    ['rendering', (report) => checkRenderings(report, scanned, options.renderings)],
    ['namespaces', checkNamespaces],
    ['object-names', checkObjectNames],
    ['plan-shapes', checkPlanShapes],
    ['plan-metadata', checkPlanMetadata],
    ['api', checkApi],
    ['destruction', (report) => checkDestruction(report, isForInstall)],
    ['descriptions', (report) => (checks === undefined ? undefined : checkDescriptions(report, checks))],
  ];
}

/** Everything that may use a parameter is checked before what uses none is reported. */
function checkUses(report: Report, scanned: ScannedTemplates): void {
  const live = [checkLiveValues(report, scanned), checkReferences(report, scanned)];
  const elsewhere = [checkHealthChecks(report), checkMeters(report), parametersOfPatches(report), ...live];
  checkParameterUse(report, scanned, new Set(elsewhere.flatMap((names) => [...names])));
}

function checkRenderings(report: Report, scanned: ScannedTemplates, renderings: KnownRenderings | undefined): void {
  const data = verificationData(report);
  checkRendering(report, scanned, { data, known: renderings });
  checkPatches(report, scanned, data);
}
