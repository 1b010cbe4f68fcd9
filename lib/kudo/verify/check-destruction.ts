import { DEPLOY_PLAN, UPDATE_PLAN } from '../names';
import type { OperatorPackage, PackageParameter } from '../package/types';
import type { Task } from '../types';
import type { Report } from './report';

/** A plan that can delete volumes and does not say that it is destructive. */
export interface UndeclaredDestruction {
  readonly plan: string;
  readonly message: string;
}

/**
 * Plans that can be seen to delete a PersistentVolumeClaim without `destructive: true`: a Delete or Toggle task whose template
 * has one, or a StatefulSet that takes its claims with it (`whenDeleted: Delete`). A plan that may scale a StatefulSet with
 * `whenScaled: Delete` has to say either: only the author knows whether the data of a removed member have other copies.
 *
 * Seen in the text of the templates, so that no branch is missed. What a pod deletes cannot be seen.
 */
export function undeclaredDestruction(pkg: OperatorPackage): UndeclaredDestruction[] {
  const { plans, tasks, planMetadata = {} } = pkg.operator;
  const byName = new Map(tasks.map((task) => [task.name, task]));
  return Object.entries(plans).flatMap(([plan, { phases }]) => {
    const declared = planMetadata[plan]?.destructive;
    if (declared === true) return [];
    const names = (phases ?? []).flatMap(({ steps }) => (steps ?? []).flatMap((step) => step.tasks ?? []));
    const used = names.flatMap((name) => byName.get(name) ?? []);
    const deletes = firstOf(used, (task) => deletion(task, pkg));
    const scales = declared === false ? undefined : firstOf(used, (task) => scaling(task, plan, pkg));
    const what = deletes ?? scales;
    if (what === undefined) return [];
    return [{ plan, message: `plan "${plan}" ${what}` }];
  });
}

/** Each such plan is an error; a warning where the package is only to be installed, as packages of KUDO are. */
export function checkDestruction(report: Report, isForInstall: boolean): void {
  for (const { plan, message } of undeclaredDestruction(report.pkg)) {
    const place = report.operatorLine('plans', plan);
    if (isForInstall) report.warn(place, message);
    else report.error(place, message);
  }
}

function deletion({ name, kind, spec }: Task, { templates }: OperatorPackage): string | undefined {
  if (kind !== 'Delete' && kind !== 'Toggle') return undefined;
  for (const key of spec?.resources ?? []) {
    const text = templates.get(key) ?? '';
    const claims = hasKind(text, 'PersistentVolumeClaim');
    if (!claims && !(hasKind(text, 'StatefulSet') && isDelete(text, 'whenDeleted'))) continue;
    const what = claims ? 'PersistentVolumeClaims' : 'a StatefulSet with whenDeleted: Delete';
    return `deletes ${what} (task "${name}", template ${key}) and is not marked "destructive: true"`;
  }
  return undefined;
}

function scaling({ name, kind, spec }: Task, plan: string, pkg: OperatorPackage): string | undefined {
  if (kind !== 'Apply' && kind !== 'Toggle') return undefined;
  for (const key of spec?.resources ?? []) {
    const text = pkg.templates.get(key) ?? '';
    if (!hasKind(text, 'StatefulSet') || !isDelete(text, 'whenScaled')) continue;
    const [parameter] = replicaParameters(text, pkg).filter((each) => planOf(each, pkg) === plan);
    if (parameter === undefined) continue;
    const about = `(task "${name}", template ${key}, parameter ${parameter.name})`;
    return `scales a StatefulSet with whenScaled: Delete ${about} and says neither "destructive: true" nor "destructive: false"`;
  }
  return undefined;
}

function hasKind(text: string, kind: string): boolean {
  return text.split('\n').some((line) => {
    const [, found] = /^\s*(?:-\s*)?["']?kind["']?\s*:\s*["']?([A-Za-z]+)["']?\s*(?:#.*)?$/.exec(line) ?? [];
    return found === kind;
  });
}

/** True also when the value is chosen by a template that may give it. */
function isDelete(text: string, field: 'whenDeleted' | 'whenScaled'): boolean {
  return text.split('\n').some((line) => {
    const at = line.indexOf(`${field}:`);
    return at >= 0 && /\bDelete\b/.test(line.slice(at + field.length + 1));
  });
}

/** Parameters in the line that says how many members there are. */
function replicaParameters(text: string, { parameters }: OperatorPackage): PackageParameter[] {
  const lines = text.split('\n').filter((line) => /^\s*replicas\s*:/.test(line));
  const names = new Set(
    lines.flatMap((line) => [...line.matchAll(/\.Params\.([A-Za-z0-9_]+)/g)].map(([, name]) => name)),
  );
  return parameters.filter(({ name }) => names.has(name));
}

/** The plan that a change of the parameter starts. */
function planOf({ trigger }: PackageParameter, { operator }: OperatorPackage): string {
  if (trigger !== undefined && trigger !== '') return trigger;
  return Object.hasOwn(operator.plans, UPDATE_PLAN) ? UPDATE_PLAN : DEPLOY_PLAN;
}

function firstOf<T>(values: readonly T[], find: (value: T) => string | undefined): string | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}
