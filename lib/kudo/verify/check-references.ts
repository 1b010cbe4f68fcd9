import type { PackageParameter } from '@/lib/kudo/package/types';
import { INSTANCE_TYPE } from '@/lib/kudo/references/reference-target';
import { rangeProblem } from '@/lib/kudo/upgrades/version-range';
import type { ScannedTemplates } from './check-templates';
import { type Report, templatePlace } from './report';

/**
 * Bravo's own checks of parameters of type `instance`: ranges can be read, and templates use `.Refs` for nothing else. Returns the names
 * of those that templates use.
 */
export function checkReferences(report: Report, scanned: ScannedTemplates): ReadonlySet<string> {
  const { parameters } = report.pkg;
  for (const [index, parameter] of parameters.entries()) checkParameter(report, parameter, index);
  const names = new Set(parameters.flatMap(({ name, type }) => (type === INSTANCE_TYPE ? [name] : [])));
  const used = new Set<string>();
  for (const [key, { use }] of scanned) {
    for (const [name, line] of use.references) {
      used.add(name);
      if (names.has(name)) continue;
      const message = `template ${key} uses .Refs.${name}, which is no parameter of type ${INSTANCE_TYPE}`;
      report.error(templatePlace(key, line), message);
    }
  }
  return used;
}

function checkParameter(report: Report, { name, type, reference, secret }: PackageParameter, index: number): void {
  const place = report.paramsLine('parameters', index);
  if (type !== INSTANCE_TYPE) {
    const message = `parameter "${name}" has "instance", which needs "type: ${INSTANCE_TYPE}"`;
    if (reference !== undefined) report.error(place, message);
    return;
  }
  if (secret === true) report.error(place, `parameter "${name}" names an Instance and cannot be secret`);
  for (const key of ['version', 'operatorVersion'] as const) {
    const range = reference?.[key];
    const problem = range === undefined ? undefined : rangeProblem(range);
    if (problem === undefined) continue;
    const message = `parameter "${name}" has a "${key}" that ${problem}`;
    report.error(report.paramsLine('parameters', index, 'instance', key), message);
  }
}
