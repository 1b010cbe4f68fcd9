import type { OperatorVersion, Plan } from '../types';

/** A plan that differs between two versions. */
export interface PlanDifference {
  readonly plan: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** Steps, as `phase / step: tasks`; `moved` when only the order differs. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Steps with other tasks: `phase / step: before → after`. */
  readonly changed: readonly string[];
  /** True when the same steps run in another order, or with another strategy. */
  readonly isReordered: boolean;
}

/** The plans that differ, in the order of their names. */
export function planDifferences(from: OperatorVersion, to: OperatorVersion): PlanDifference[] {
  const [before, after] = [from.spec?.plans ?? {}, to.spec?.plans ?? {}];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((plan) => {
    const found = differenceOf(plan, ownPlan(before, plan), ownPlan(after, plan));
    return found === undefined ? [] : [found];
  });
}

function ownPlan(plans: { readonly [name: string]: Plan }, name: string): Plan | undefined {
  return Object.hasOwn(plans, name) ? plans[name] : undefined;
}

function differenceOf(plan: string, from: Plan | undefined, to: Plan | undefined): PlanDifference | undefined {
  const [before, after] = [stepsOf(from), stepsOf(to)];
  const text = (place: string, tasks: string | undefined) => `${place}: ${tasks || 'no tasks'}`;
  const added = [...after].filter(([place]) => !before.has(place)).map(([place, tasks]) => text(place, tasks));
  const removed = [...before].filter(([place]) => !after.has(place)).map(([place, tasks]) => text(place, tasks));
  const changed = [...after].flatMap(([place, tasks]) => {
    const was = before.get(place);
    return was === undefined || was === tasks ? [] : [`${text(place, was)} → ${tasks || 'no tasks'}`];
  });
  const base = { plan, added, removed, changed };
  if (from === undefined) return { ...base, change: 'added', isReordered: false };
  if (to === undefined) return { ...base, change: 'removed', isReordered: false };
  const kept = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>) =>
    [...one.keys()].filter((place) => other.has(place)).join('\n');
  const isReordered = kept(before, after) !== kept(after, before) || strategies(from, after) !== strategies(to, before);
  const isSame = added.length + removed.length + changed.length === 0 && !isReordered;
  return isSame ? undefined : { ...base, change: 'changed', isReordered };
}

/** Tasks by `phase / step`, in the order of the plan. */
function stepsOf(plan: Plan | undefined): Map<string, string> {
  const steps = (plan?.phases ?? []).flatMap(({ name, steps: own }) =>
    (own ?? []).map((step) => [`${name} / ${step.name}`, (step.tasks ?? []).join(', ')] as const),
  );
  return new Map(steps);
}

/** The strategy of the plan and of the phases that the other version has too; serial when none is given. */
function strategies(plan: Plan, other: ReadonlyMap<string, string>): string {
  const phases = new Set([...other.keys()].map((place) => place.slice(0, place.lastIndexOf(' / '))));
  const shared = (plan.phases ?? []).filter(({ name }) => phases.has(name));
  return [plan, ...shared].map(({ strategy }) => strategy || 'serial').join(' ');
}
