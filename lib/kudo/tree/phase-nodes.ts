import type { OperatorVersion } from '../types';
import type { AppliedBy } from './applied-by';
import { type ResourceNode, resourceNode } from './resource-node';
import { compareInTree } from './tree-order';

interface Applied {
  readonly node: ResourceNode;
  readonly by: AppliedBy;
}

/** Objects below their tasks below their phases, in the order of the operator's plans. */
export function byPhase(applied: readonly Applied[], version: OperatorVersion | undefined): ResourceNode[] {
  const order = orderOf(version);
  const placeOf = (key: string) => order.get(key) ?? Number.MAX_SAFE_INTEGER;
  const phases = grouped(applied, ({ by }) => JSON.stringify([by.plan, by.phase]));
  return [...phases]
    .sort(([a], [b]) => placeOf(a) - placeOf(b) || a.localeCompare(b))
    .map(([key, members]) => phaseNode(key, members, placeOf));
}

function phaseNode(key: string, members: readonly Applied[], placeOf: (key: string) => number): ResourceNode {
  const { plan = '', phase = '' } = members[0]?.by ?? {};
  const tasks = grouped(members, ({ by }) => JSON.stringify([plan, phase, by.step, by.task]));
  const children = [...tasks]
    .sort(([a], [b]) => placeOf(a) - placeOf(b) || a.localeCompare(b))
    .map(([id, objects]) => taskNode(id, objects));
  return resourceNode({ id: `phase:${key}`, sort: 'phase', kind: 'Phase', name: `${plan} / ${phase}` }, children);
}

function taskNode(key: string, members: readonly Applied[]): ResourceNode {
  const { step = '', task = '' } = members[0]?.by ?? {};
  const children = members.map(({ node }) => node).sort(compareInTree);
  const name = task === '' ? step : task;
  const fact = task === '' || task === step ? '' : `step ${step}`;
  const newest = members.map(({ by }) => by).reduce((a, b) => (b.at > a.at ? b : a));
  const own = { id: `task:${key}`, sort: 'task', kind: task === '' ? 'Step' : 'Task', name, fact } as const;
  return resourceNode({ ...own, by: newest }, children);
}

/** Where each phase and task is among those of the operator. */
function orderOf(version: OperatorVersion | undefined): ReadonlyMap<string, number> {
  const keys = Object.entries(version?.spec?.plans ?? {}).flatMap(([plan, { phases }]) =>
    (phases ?? []).flatMap(({ name: phase, steps }) => [
      JSON.stringify([plan, phase]),
      ...(steps ?? []).flatMap(({ name: step, tasks }) =>
        ['', ...(tasks ?? [])].map((task) => JSON.stringify([plan, phase, step, task])),
      ),
    ]),
  );
  return new Map(keys.map((key, at) => [key, at]));
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const members = groups.get(key);
    if (members === undefined) groups.set(key, [item]);
    else members.push(item);
  }
  return groups;
}
