import type { OperatorPackage, PackageProblem } from './package/types';
import { checkObjectNames, checkParameterNames, checkVersions } from './verify/check-names';
import { checkNamespaces } from './verify/check-namespaces';
import { checkDefaults, checkEnums, checkGroups, checkImmutable, checkTraits } from './verify/check-parameters';
import { checkRendering } from './verify/check-rendering';
import { checkPlanShapes, checkPlans, checkTaskReferences, checkTasks } from './verify/check-tasks';
import {
  checkParameterUse,
  checkTemplateReferences,
  checkTemplateSyntax,
  scanTemplates,
} from './verify/check-templates';
import { checkDescriptions, type ParameterCheck } from './verify/parameter-checks';
import { Report, type Verification } from './verify/report';

export type { Verification } from './verify/report';

/**
 * Verifies a package that could be read: KUDO's checks in KUDO's order and words (KUDO
 * pkg/kudoctl/packages/verifier), then ours. Each finding has file and line. Pure: contacts nothing, resolves nothing.
 *
 * @param before findings of reading, put first among the warnings
 */
export function verifyPackage(
  pkg: OperatorPackage,
  options: { checks?: ReadonlySet<ParameterCheck>; before?: readonly PackageProblem[] } = {},
): Verification {
  const report = new Report(pkg);
  report.warnings.push(...(options.before ?? []));
  checkParameterNames(report);
  checkVersions(report);
  checkTasks(report);
  checkTaskReferences(report);
  checkPlans(report);
  const scanned = scanTemplates(report);
  checkParameterUse(report, scanned);
  checkImmutable(report);
  checkEnums(report);
  checkDefaults(report);
  checkTraits(report);
  checkGroups(report);
  checkTemplateSyntax(report, scanned);
  checkTemplateReferences(report);
  checkRendering(report, scanned);
  checkNamespaces(report);
  checkObjectNames(report);
  checkPlanShapes(report);
  if (options.checks !== undefined) checkDescriptions(report, options.checks);
  return { errors: report.errors, warnings: report.warnings };
}
