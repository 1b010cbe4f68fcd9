import { messageOf } from '@/lib/errors/errors';
import { type JsonObject, objectAt } from '@/lib/json/json';
import { INSTANCES, OPERATOR_VERSIONS, OPERATORS } from '@/lib/kudo/crds/crds';
import { lockOf } from '@/lib/kudo/lock/instance-lock';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import type { QueueEntry } from '@/lib/kudo/queue/run-queue';
import type { Instance } from '@/lib/kudo/types';
import { type Random, randomUuid } from '@/lib/random/random';
import type { Target } from '@/server/kube/api';
import type { Kept } from '../invariants/fact';
import { missing } from '../invariants/repaired';
import { isAtRest, isRefused, waitsForApproval } from './at-rest';
import { followSchedule } from './follow-schedule';
import { gateEdits, UNLOCK } from './gates';
import { keptObjects } from './kept-objects';
import { GATED_PLAN } from './late-actions';
import { type PersonEdit, patchOf } from './person-edit';
import type { RemovedByHand } from './removed-by-hand';
import { repeatEdit, takeOff } from './repeat';
import type { Script, TimedAction, UserAction } from './scenario';
import { FIRST_VERSION, INSTANCE, instanceOf, NEXT_VERSION, operatorsOf } from './script-objects';
import type { Simulation } from './simulation';
import { isSteering, steer } from './steer';
import { templatesOf } from './templates';

/** Virtual time: a plan that has not ended by then never will. */
const PATIENCE_MS = 60 * 60_000;
/** What users write by hand into the objects of an Instance with self-heal. */
export const BY_HAND = 'by hand';
/** The controller looks for drift at least every ten minutes, and reverts it while requests fail. */
const REPAIRED_WITHIN_MS = 30 * 60_000;
/** How long a refusal must last, and how often users check it. */
const ANSWER_MS = 60_000;
const ANSWERS = 4;

export interface ScriptOptions {
  /** Users wait between two actions until the Instance is idle. */
  readonly isPatient: boolean;
  /** For the uids of plans that users start: the same with faults and without. */
  readonly random: Random;
  onViolation(violation: string): void;
  onRest(instance: Instance): void;
  /** Called with each object of the inventory after an Instance with self-heal had time to revert drift. */
  onKept(kept: Kept): void;
  readonly removed: RemovedByHand;
  /** Called before a user takes a run off the queue. */
  onTakenOff(instance: Instance, entry: QueueEntry): void;
}

/** Plays what users do to one Instance, from the install of its operator until the Instance is idle after the last action. */
export async function playScript(simulation: Simulation, script: Script, options: ScriptOptions): Promise<void> {
  const { people, scheduler } = simulation;
  const { namespace } = script;
  await people.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const { operators, versions } = operatorsOf(script);
  for (const operator of operators) await people.create({ ...OPERATORS, namespace }, operator);
  for (const version of versions) await people.create({ ...OPERATOR_VERSIONS, namespace }, version);
  await people.create({ ...INSTANCES, namespace }, instanceOf(script));
  let what = 'the deploy plan';
  for (const action of script.actions) {
    if (options.isPatient && !isSteering(action) && !(await comesToRest(simulation, script, what, options))) return;
    if (action.afterMs > 0) await scheduler.pass(action.afterMs);
    await act(simulation, script, action, options);
    if (options.isPatient && (action.do === 'drift' || action.do === 'remove'))
      await comesToBeRepaired(simulation, script, options);
    what = JSON.stringify(action);
  }
  if (script.actions.some((action) => action.do === 'lock')) {
    if (options.isPatient && !(await comesToRest(simulation, script, what, options))) return;
    await edit(simulation, script, UNLOCK, options);
  }
  if (!(await comesToRest(simulation, script, what, options))) return;
  await makeUpForRefusal(simulation, script, options);
  if (script.selfHeals) await comesToBeRepaired(simulation, script, options);
}

/** Waits until drift is reverted, and reports the objects at that time. */
async function comesToBeRepaired(simulation: Simulation, { namespace }: Script, options: ScriptOptions): Promise<void> {
  const kept = () => {
    const instance = simulation.sandbox.api.get({ ...INSTANCES, namespace, name: INSTANCE }) as Instance | undefined;
    const isLeaving = instance === undefined || instance.metadata.deletionTimestamp !== undefined;
    return isLeaving ? [] : keptObjects(simulation, instance, options.removed);
  };
  await simulation.scheduler.until(() => kept().every((each) => missing(each) === undefined), REPAIRED_WITHIN_MS);
  for (const each of kept()) options.onKept(each);
}

/**
 * Edits that users make one after the other while a plan runs may be too much for one plan afterwards. The controller refuses
 * them and says what to do: revert all of them, and make one change after the other.
 */
async function makeUpForRefusal(simulation: Simulation, script: Script, options: ScriptOptions): Promise<void> {
  const key = { ...INSTANCES, namespace: script.namespace, name: INSTANCE };
  const instance = simulation.sandbox.api.get(key) as Instance | undefined;
  const seen = instance === undefined ? undefined : actedUpon(instance);
  if (instance === undefined || seen === undefined || !isRefused(instance)) return;
  const wanted = instance.spec?.parameters ?? {};
  const names = [...new Set([...Object.keys(seen.parameters), ...Object.keys(wanted)])].sort();
  const asIn = (parameters: { readonly [name: string]: string }) =>
    Object.fromEntries(names.map((name): [string, string | null] => [name, parameters[name] ?? null]));
  const edits: JsonObject[] = [
    { operatorVersion: { name: seen.operatorVersion.name ?? '' }, parameters: asIn(seen.parameters) },
    ...names.map((name) => ({ parameters: { [name]: wanted[name] ?? null } })),
    { operatorVersion: { name: instance.spec?.operatorVersion?.name ?? '' } },
  ];
  for (const spec of edits) {
    await edit(simulation, script, { spec }, options);
    if (!(await comesToRest(simulation, script, `a refused edit, put right by ${JSON.stringify(spec)}`, options)))
      return;
  }
  const last = simulation.sandbox.api.get(key) as Instance | undefined;
  if (last !== undefined && isRefused(last))
    options.onViolation(
      `I6: the controller refuses every edit of the Instance in ${script.namespace}: ${describe(last)}`,
    );
}

/**
 * An edit that the admission webhook refuses is not stored. Users then wait until the Instance is idle and try once more; they accept
 * a second refusal.
 */
async function edit(simulation: Simulation, script: Script, change: PersonEdit, options: ScriptOptions): Promise<void> {
  const key = { ...INSTANCES, namespace: script.namespace, name: INSTANCE };
  const isTaken = () =>
    simulation.people.patch(key, 'merge', patchOf(change)).then(
      () => true,
      (error: unknown) => {
        if (messageOf(error).includes(DENIED)) return false;
        throw error;
      },
    );
  if (simulation.sandbox.api.get(key) === undefined || (await isTaken())) return;
  if (!(await comesToRest(simulation, script, `a refused edit, ${JSON.stringify(change)},`, options))) return;
  if (simulation.sandbox.api.get(key) !== undefined) await isTaken();
}

/** In every refusal of a webhook (apiserver admission/plugin/webhook/errors ToStatusErr). */
const DENIED = 'denied the request';

const NAMESPACES: Target = { group: '', version: 'v1', resource: 'namespaces' };

async function comesToRest(
  simulation: Simulation,
  { namespace }: Script,
  what: string,
  options: ScriptOptions,
): Promise<boolean> {
  const find = () => simulation.sandbox.api.get({ ...INSTANCES, namespace, name: INSTANCE }) as Instance | undefined;
  let isResting = await simulation.scheduler.until(() => isAtRest(find()), PATIENCE_MS);
  // A refusal may belong to an earlier edit: only one that lasts is the answer to the last edit.
  for (let tries = 0; isResting && isRefused(find()) && tries < ANSWERS; tries++) {
    await simulation.scheduler.pass(ANSWER_MS);
    isResting = await simulation.scheduler.until(() => isAtRest(find()), PATIENCE_MS);
  }
  if (isResting) isResting = await takesOffHeld(simulation, namespace, options);
  const instance = find();
  if (!isResting) options.onViolation(`I1: after ${what} ${namespace} did not become idle: ${describe(instance)}`);
  else if (instance !== undefined && !isRefused(instance) && lockOf(instance) === undefined) options.onRest(instance);
  return isResting;
}

/** A run whose approval is void or missing holds the queue until somebody takes it off. Gives whether the Instance is idle then. */
async function takesOffHeld(simulation: Simulation, namespace: string, options: ScriptOptions): Promise<boolean> {
  const find = () => simulation.sandbox.api.get({ ...INSTANCES, namespace, name: INSTANCE }) as Instance | undefined;
  const isHeld = () => {
    const instance = find();
    return instance !== undefined && lockOf(instance) === undefined && waitsForApproval(instance);
  };
  if (!isHeld()) return true;
  for (let tries = 0; tries < ANSWERS && isHeld(); tries++) {
    await simulation.scheduler.until(() => !isHeld(), ANSWER_MS);
    // The controller may write the Instance at the same time.
    if (isHeld()) await takeOff(simulation, namespace, GATED_PLAN, options);
  }
  return simulation.scheduler.until(() => isAtRest(find()) && !isHeld(), PATIENCE_MS);
}

async function act(simulation: Simulation, script: Script, action: TimedAction, options: ScriptOptions): Promise<void> {
  const { people } = simulation;
  const { namespace } = script;
  const key: Target = { ...INSTANCES, namespace, name: INSTANCE };
  const version: Target = { ...OPERATOR_VERSIONS, namespace, name: FIRST_VERSION };
  const isThere = simulation.sandbox.api.get({ ...INSTANCES, namespace, name: INSTANCE }) !== undefined;
  const changesInstance = action.do !== 'edit-version' && action.do !== 'drop-version';
  if (changesInstance && !isThere) return;
  switch (action.do) {
    case 'edit-version':
      await people.patch(version, 'merge', { spec: { templates: templatesOf(action.edition) } });
      return;
    case 'drop-version': {
      const { versions } = operatorsOf(script);
      const [first] = versions;
      await people.delete(version);
      await simulation.scheduler.pass(action.forMs);
      if (first !== undefined) await people.create({ ...OPERATOR_VERSIONS, namespace }, first);
      return;
    }
    case 'drift':
    case 'remove':
      await changeByHand(simulation, script, action, options);
      return;
    case 'pause':
    case 'cancel':
    case 'skip':
    case 'stop-after':
      await steer(simulation, namespace, action);
      return;
    case 'schedule':
      await followSchedule(simulation, namespace, action);
      return;
    case 'lock':
    case 'unlock':
    case 'break-lock':
    case 'approved-start':
      for (const change of await gateEdits(simulation, namespace, action, options.random))
        await edit(simulation, script, change, options);
      return;
    case 'retry':
    case 'undo':
    case 'resume':
    case 'move':
    case 'take-off': {
      const change = await repeatEdit(simulation, namespace, action, options);
      if (change !== undefined) await edit(simulation, script, change, options);
      return;
    }
    case 'delete':
      await people.delete(key);
      return;
    case 'delete-namespace':
      await people.delete({ ...NAMESPACES, name: namespace });
      return;
    default:
      await edit(simulation, script, { spec: editOf(action, options.random) }, options);
  }
}

/** A user changes or deletes an object of the Instance by hand. */
async function changeByHand(
  simulation: Simulation,
  { namespace }: Script,
  deed: Extract<UserAction, { do: 'drift' | 'remove' }>,
  { removed }: ScriptOptions,
): Promise<void> {
  const instance = simulation.sandbox.api.get({ ...INSTANCES, namespace, name: INSTANCE }) as Instance | undefined;
  if (instance === undefined) return;
  const kept = keptObjects(simulation, instance, removed).filter(({ live }) => live !== undefined);
  const chosen = kept[deed.pick % Math.max(1, kept.length)];
  if (chosen === undefined) return;
  if (deed.do === 'remove') {
    if (chosen.live !== undefined) removed.note(chosen.live, instance);
    await simulation.people.delete(chosen.key);
    return;
  }
  const data = objectAt(chosen.live, 'data');
  const drifted = Object.fromEntries(Object.keys(data).map((name) => [name, BY_HAND]));
  await simulation.people.patch(
    chosen.key,
    'merge',
    Object.keys(data).length > 0 ? { data: drifted } : { spec: { replicas: 3 } },
  );
}

function editOf(deed: Extract<UserAction, { do: 'set' | 'trigger' | 'upgrade' }>, random: Random) {
  switch (deed.do) {
    case 'set':
      return { parameters: { ...deed.parameters } };
    case 'trigger':
      return { planExecution: { planName: deed.plan, uid: randomUuid(random) } };
    case 'upgrade':
      return { operatorVersion: { name: NEXT_VERSION }, parameters: { B: null } };
  }
}

function describe(instance: Instance | undefined): string {
  return JSON.stringify({
    annotations: instance?.metadata.annotations,
    spec: instance?.spec,
    status: instance?.status,
    finalizers: instance?.metadata.finalizers,
  }).slice(0, 2_500);
}
