import { operatorVersionName } from '@/lib/kudo/names';
import type { OperatorVersion, Task } from '@/lib/kudo/types';
import { phasesOf, stepsOf } from './status';

/** Finds an OperatorVersion and its Operator; undefined when either is missing. */
export interface DependencyLookup {
  operatorVersion(namespace: string, name: string): Promise<OperatorVersion | undefined>;
  hasOperator(namespace: string, name: string): Promise<boolean>;
}

export interface DependencyProblem {
  readonly reason: 'CircularDependency' | 'MissingDependency';
  readonly message: string;
}

/**
 * Looks for what the KudoOperator tasks of a plan need, depth first through the children's own tasks. Only
 * tasks that the plan uses count (KUDO wanted them for every plan, T-33); of children all do. Undefined when nothing is missing.
 */
export async function dependencyProblem(
  operatorVersion: OperatorVersion,
  plan: string,
  lookup: DependencyLookup,
): Promise<DependencyProblem | undefined> {
  const used = tasksOfPlan(operatorVersion, plan);
  const path = [label(operatorVersion)];
  return visit(operatorVersion, used, path, lookup);
}

async function visit(
  parent: OperatorVersion,
  tasks: readonly Task[],
  path: readonly string[],
  lookup: DependencyLookup,
): Promise<DependencyProblem | undefined> {
  const namespace = parent.metadata.namespace ?? '';
  for (const task of tasks) {
    if (task.kind !== 'KudoOperator') continue;
    const { package: operator = '', operatorVersion = '', appVersion } = task.spec ?? {};
    if (operator === '' || operatorVersion === '') continue;
    const name = operatorVersionName(operator, operatorVersion, appVersion);
    const child = await lookup.operatorVersion(namespace, name);
    if (child === undefined) return missing(task, `OperatorVersion ${name}`, namespace);
    if (!(await lookup.hasOperator(namespace, operator))) return missing(task, `Operator ${operator}`, namespace);
    const next = label(child);
    if (path.includes(next)) {
      const message = `the operators depend on each other: ${[...path, next].join(' → ')}`;
      return { reason: 'CircularDependency', message };
    }
    const deeper = await visit(child, child.spec?.tasks ?? [], [...path, next], lookup);
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}

function missing(task: Task, what: string, namespace: string): DependencyProblem {
  return {
    reason: 'MissingDependency',
    message: `task ${task.name} needs ${what}, which is not in namespace ${namespace}`,
  };
}

function label(operatorVersion: OperatorVersion): string {
  const { operator, version = '', appVersion = '' } = operatorVersion.spec ?? {};
  return [operator?.name ?? '', appVersion, version].filter((part) => part !== '').join('-');
}

function tasksOfPlan(operatorVersion: OperatorVersion, planName: string): Task[] {
  const plan = operatorVersion.spec?.plans?.[planName];
  if (plan === undefined) return [];
  const names = new Set(phasesOf(plan).flatMap((phase) => stepsOf(phase).flatMap((step) => step.tasks ?? [])));
  return (operatorVersion.spec?.tasks ?? []).filter((task) => names.has(task.name));
}
