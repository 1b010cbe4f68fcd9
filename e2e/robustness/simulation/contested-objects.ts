import type { Phase } from '@/lib/kudo/types';
import type { Script } from './scenario';
import { INSTANCE } from './script-objects';

/** Names of the objects of an Instance that a task makes, less the Instance's name and the plan's. */
const OBJECTS: { readonly [task: string]: readonly string[] } = {
  config: ['config'],
  several: ['one', 'two', 'three'],
  web: ['web'],
  nodes: ['nodes'],
  switch: ['switched'],
  maybe: ['maybe'],
};
const OWN: { readonly [task: string]: string } = {
  own: 'own',
  random: 'random',
  ca: 'ca',
  piped: 'piped',
  job: 'job',
  'bad-job': 'bad',
};

/** Names of objects that several parallel steps of a plan apply. */
export function contestedObjects({ plans, childPlans }: Script): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [instance, all] of [
    [INSTANCE, plans],
    [`${INSTANCE}-kid`, childPlans],
  ] as const) {
    for (const [plan, { strategy, phases }] of Object.entries(all)) {
      const lists = (phases ?? []).map((phase) => ({ phase, tasks: tasksOf(phase) }));
      if (strategy !== 'serial')
        note(
          found,
          instance,
          plan,
          lists.map(({ tasks }) => tasks),
        );
      for (const { phase } of lists) {
        const steps = (phase.steps ?? []).map((step) => new Set(step.tasks ?? []));
        if (phase.strategy !== 'serial') note(found, instance, plan, steps);
      }
    }
  }
  return found;
}

function note(found: Set<string>, instance: string, plan: string, sides: readonly ReadonlySet<string>[]): void {
  const seen = new Set<string>();
  for (const tasks of sides) {
    for (const task of tasks) {
      if (!seen.has(task)) continue;
      for (const name of OBJECTS[task] ?? []) found.add(`${instance}-${name}`);
      const own = OWN[task];
      if (own === undefined) continue;
      found.add(`${instance}-${plan}-${own}`);
      // Version 1.1.0 renames its Jobs.
      found.add(`${instance}-${plan}-next-${own}`);
    }
    for (const task of tasks) seen.add(task);
  }
}

function tasksOf({ steps }: Phase): ReadonlySet<string> {
  return new Set((steps ?? []).flatMap(({ tasks }) => tasks ?? []));
}
