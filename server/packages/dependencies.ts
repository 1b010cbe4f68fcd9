import { messageOf, TerminalError } from '@/lib/errors/errors';
import { operatorVersionName } from '@/lib/kudo/names';
import type { OperatorPackage } from '@/lib/kudo/package/types';
import type { Task } from '@/lib/kudo/types';
import type { LoadedPackage } from './loaded-package';
import { type ResolveContext, resolvePackage } from './resolve';

/** A package whose KudoOperator tasks name exact versions, and everything they need in the order it was found. */
export interface ResolvedPackage {
  readonly package: OperatorPackage;
  readonly dependencies: readonly OperatorPackage[];
}

/**
 * Resolves what the KudoOperator tasks of a package need, and what that needs (KUDO
 * resources/dependencies). Tasks are pinned to the operator's name and versions that were found, so that the controller
 * never resolves anything.
 *
 * @throws TerminalError when a dependency cannot be found or needs itself
 */
export async function resolveDependencies(root: LoadedPackage, context: ResolveContext): Promise<ResolvedPackage> {
  const found = new Map<string, OperatorPackage>();
  const edges = new Map<string, Set<string>>();
  const rootName = fullName(root.package);
  const visit = async (parent: LoadedPackage): Promise<OperatorPackage> => {
    const name = fullName(parent.package);
    found.set(name, parent.package);
    const tasks: Task[] = [];
    for (const task of parent.package.operator.tasks) {
      if (task.kind !== 'KudoOperator') {
        tasks.push(task);
        continue;
      }
      const child = await resolveChild(task, name, { ...context, scope: parent.scope });
      const childName = fullName(child.package);
      edges.set(name, (edges.get(name) ?? new Set()).add(childName));
      if (reaches(edges, childName, name)) {
        const message = `cyclic package dependency found when adding package ${name} -> ${childName}`;
        throw new TerminalError(message, 'DependencyCycle');
      }
      if (!found.has(childName)) await visit(child);
      tasks.push(pinned(task, child.package));
    }
    const result = { ...parent.package, operator: { ...parent.package.operator, tasks } };
    found.set(name, result);
    return result;
  };
  const result = await visit(root);
  found.delete(rootName);
  return { package: result, dependencies: [...found.values()] };
}

async function resolveChild(task: Task, parent: string, context: ResolveContext): Promise<LoadedPackage> {
  const { package: name = '', appVersion, operatorVersion } = task.spec ?? {};
  try {
    return await resolvePackage({ name, appVersion, operatorVersion }, context);
  } catch (error) {
    const wanted = `Operator: "${name}", OperatorVersion: "${operatorVersion || 'any'}", AppVersion "${appVersion || 'any'}"`;
    const message = `failed to resolve package ${wanted}, dependency of package ${parent}: ${messageOf(error)}`;
    throw new TerminalError(message, 'PackageNotFound', { cause: error });
  }
}

function pinned(task: Task, child: OperatorPackage): Task {
  const { name, operatorVersion, appVersion } = child.operator;
  const spec = { ...task.spec, package: name, operatorVersion };
  return { ...task, spec: appVersion === undefined ? spec : { ...spec, appVersion } };
}

function reaches(edges: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean {
  if (from === to) return true;
  return [...(edges.get(from) ?? [])].some((next) => next !== from && reaches(edges, next, to));
}

function fullName({ operator }: OperatorPackage): string {
  return operatorVersionName(operator.name, operator.operatorVersion, operator.appVersion);
}
