import type { OperatorPackage, PackageProblem } from '@/lib/kudo/package/types';
import { checkDestruction } from './check-destruction';
import { checkHealthChecks } from './check-health-checks';
import { checkObjectNames, checkParameterNames, checkVersions } from './check-names';
import { checkNamespaces } from './check-namespaces';
import { checkDefaults, checkEnums, checkGroups, checkImmutable, checkPickers, checkTraits } from './check-parameters';
import { checkPatches, parametersOfPatches } from './check-patches';
import { checkPlanMetadata } from './check-plan-metadata';
import { checkRendering, verificationData } from './check-rendering';
import { checkPlanShapes, checkPlans, checkTaskReferences, checkTasks } from './check-tasks';
import { checkParameterUse, checkTemplateReferences, checkTemplateSyntax, scanTemplates } from './check-templates';
import { checkDescriptions, type ParameterCheck } from './parameter-checks';
import { Report, type Verification } from './report';

export type { Verification } from './report';

export interface VerifyOptions {
  readonly checks?: ReadonlySet<ParameterCheck>;
  /** Findings of reading, put first among the warnings. */
  readonly before?: readonly PackageProblem[];
  /** The package is to be installed as it is: what KUDO accepts and only Bravo refuses is a warning. */
  readonly isForInstall?: boolean;
}

/**
 * Verifies a package that could be read: KUDO's checks in KUDO's order and words (KUDO
 * pkg/kudoctl/packages/verifier), then ours. Each finding has file and line. Pure: contacts nothing, resolves nothing.
 */
export function verifyPackage(pkg: OperatorPackage, options: VerifyOptions = {}): Verification {
  const report = new Report(pkg);
  report.warnings.push(...(options.before ?? []));
  checkParameterNames(report);
  checkVersions(report);
  checkTasks(report);
  checkTaskReferences(report);
  checkPlans(report);
  const scanned = scanTemplates(report);
  checkParameterUse(report, scanned, new Set([...checkHealthChecks(report), ...parametersOfPatches(report)]));
  checkImmutable(report);
  checkEnums(report);
  checkDefaults(report);
  checkTraits(report);
  checkPickers(report);
  checkGroups(report);
  checkTemplateSyntax(report, scanned);
  checkTemplateReferences(report);
  const data = verificationData(report);
  checkRendering(report, scanned, data);
  checkPatches(report, scanned, data);
  checkNamespaces(report);
  checkObjectNames(report);
  checkPlanShapes(report);
  checkPlanMetadata(report);
  checkDestruction(report, options.isForInstall === true);
  if (options.checks !== undefined) checkDescriptions(report, options.checks);
  return { errors: report.errors, warnings: report.warnings };
}
