import type { OperatorPackage, PackageProblem } from '@/lib/kudo/package/types';
import { checkDestruction } from './check-destruction';
import { checkHealthChecks } from './check-health-checks';
import { checkObjectNames, checkParameterNames, checkVersions } from './check-names';
import { checkNamespaces } from './check-namespaces';
import { checkDefaults, checkEnums, checkGroups, checkImmutable, checkPickers, checkTraits } from './check-parameters';
import { checkPlanMetadata } from './check-plan-metadata';
import { checkRendering, type KnownRenderings } from './check-rendering';
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
  report.rule = 'parameter-names';
  checkParameterNames(report);
  report.rule = 'versions';
  checkVersions(report);
  report.rule = 'tasks';
  checkTasks(report);
  report.rule = 'task-references';
  checkTaskReferences(report);
  report.rule = 'plans';
  checkPlans(report);
  report.rule = 'parameter-use';
  const scanned = scanTemplates(report);
  checkParameterUse(report, scanned, checkHealthChecks(report));
  report.rule = 'parameters';
  checkImmutable(report);
  checkEnums(report);
  checkDefaults(report);
  checkTraits(report);
  checkPickers(report);
  report.rule = 'groups';
  checkGroups(report);
  report.rule = 'templates';
  checkTemplateSyntax(report, scanned);
  report.rule = 'template-references';
  checkTemplateReferences(report);
  report.rule = 'rendering';
  checkRendering(report, scanned, options.renderings);
  report.rule = 'namespaces';
  checkNamespaces(report);
  report.rule = 'object-names';
  checkObjectNames(report);
  report.rule = 'plan-shapes';
  checkPlanShapes(report);
  report.rule = 'plan-metadata';
  checkPlanMetadata(report);
  report.rule = 'destruction';
  checkDestruction(report, options.isForInstall === true);
  report.rule = 'descriptions';
  if (options.checks !== undefined) checkDescriptions(report, options.checks);
  return { errors: report.errors, warnings: report.warnings };
}
