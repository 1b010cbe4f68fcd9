import type { Phase, Plan, Step } from '@/lib/kudo/types';
import { type Random, randomInteger } from '@/lib/random/random';

/** What kind of operator: `long` has 50 steps, `nested` a child Instance, `broken` and `failing` plans that fail. */
export type Shape = 'mixed' | 'long' | 'nested' | 'broken' | 'failing';

const PLAIN = ['config', 'own', 'random', 'several', 'web', 'nodes', 'job', 'switch', 'nothing'] as const;
const LIGHT = ['config', 'own', 'random', 'several', 'nothing'] as const;

/** Random plans of a shape: deploy, update, backup, half of the time a cleanup. */
export function makePlans(random: Random, shape: Shape): { [name: string]: Plan } {
  const plans: { [name: string]: Plan } = { deploy: deployOf(random, shape) };
  for (const name of ['update', 'backup']) plans[name] = makePlan(random, shape);
  if (randomInteger(random, 2) === 0) plans.cleanup = cleanupOf(random);
  return plans;
}

function deployOf(random: Random, shape: Shape): Plan {
  if (shape === 'long') return longPlan(random);
  const plan = makePlan(random, shape);
  if (shape === 'nested') return withStep(plan, { name: 'kid', tasks: ['child'] });
  if (shape === 'broken') return withStep(plan, { name: 'perhaps', tasks: ['maybe'] });
  if (shape === 'failing') return withStep(plan, { name: 'bad', tasks: ['bad-job'] });
  return plan;
}

/** 1 phase, 50 steps. */
function longPlan(random: Random): Plan {
  const steps: Step[] = [];
  for (let step = 0; step < 50; step++) steps.push({ name: `s${step}`, tasks: [pick(random, LIGHT)] });
  return { strategy: 'serial', phases: [{ name: 'long', strategy: 'serial', steps }] };
}

/** A quarter of the plans copy files out of a pod, some make certificates; an RSA key takes as long as a whole run, so it is rare. */
function makePlan(random: Random, shape: Shape): Plan {
  const plan = makeTaskPlan(random, shape);
  const extra = randomInteger(random, 240);
  if (extra < 60)
    return withStep(withStep(plan, { name: 'pipe', tasks: ['pipe'] }), { name: 'piped', tasks: ['piped'] });
  if (extra < 80) return withStep(plan, { name: 'ca', tasks: ['ca'] });
  return extra === 80 ? withStep(plan, { name: 'rsa', tasks: ['rsa'] }) : plan;
}

/**
 * What a fatal error leaves depends on which of several parallel steps were faster, so a plan that fails is serial
 * throughout.
 */
function makeTaskPlan(random: Random, shape: Shape): Plan {
  const isSerial = shape === 'broken' || shape === 'failing';
  const strategy = () => (!isSerial && randomInteger(random, 3) === 0 ? 'parallel' : 'serial');
  const phases: Phase[] = [];
  for (let phase = 0; phase <= randomInteger(random, 3); phase++) {
    const steps: Step[] = [];
    for (let step = 0; step <= randomInteger(random, 3); step++)
      steps.push({ name: `s${step}`, tasks: makeTasks(random) });
    phases.push({ name: `p${phase}`, strategy: strategy(), steps });
  }
  return { strategy: strategy(), phases };
}

function makeTasks(random: Random): string[] {
  const tasks = new Set<string>();
  for (let count = 0; count <= randomInteger(random, 2); count++) tasks.add(pick(random, PLAIN));
  return [...tasks];
}

/** Deletes a Job, or does nothing; in a third of the cases creates the Job again. */
function cleanupOf(random: Random): Plan {
  const first = { name: 's0', tasks: [pick(random, ['clear-job', 'nothing'] as const)] };
  const steps = randomInteger(random, 3) === 0 ? [first, { name: 's1', tasks: ['job'] }] : [first];
  return { strategy: 'serial', phases: [{ name: 'p0', strategy: 'serial', steps }] };
}

function withStep(plan: Plan, step: Step): Plan {
  const [first, ...rest] = plan.phases ?? [];
  if (first === undefined) return plan;
  return { ...plan, phases: [{ ...first, steps: [...(first.steps ?? []), step] }, ...rest] };
}

/** One of a list that is not empty. */
export function pick<const T extends string>(random: Random, list: readonly T[]): T {
  const [first] = list;
  const found = list[randomInteger(random, list.length)] ?? first;
  if (found === undefined) throw new RangeError('There is nothing to pick from.');
  return found;
}
