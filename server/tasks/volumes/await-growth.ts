import { BravoError, messageOf, TerminalError } from '@/lib/errors/errors';
import { stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { EXECUTION_UID_ANNOTATION } from '@/lib/kudo/names';
import type { TaskOutcome, Wait } from '@/lib/kudo/plan/pass';
import { growsVolumes } from '@/lib/kudo/volume-growth/claim-templates';
import {
  asksForLess,
  capacityOf,
  fileSystemGrows,
  isSmaller,
  podOfClaim,
  type SizedClaim,
} from '@/lib/kudo/volume-growth/growing-claims';
import { codeOf } from '@/server/kube/errors';
import type { TaskContext } from '../context';
import { CANNOT_GROW, liveClaims, requestSize } from './grow-claims';

/** What growing volumes add to the outcome of a task: what it waits for, and what a person has to know at its end. */
export interface GrowthState {
  readonly messages: readonly string[];
  readonly waits: readonly Wait[];
  readonly notices: readonly string[];
}

/**
 * Looks after the volumes of the StatefulSets that this run has written: a claim that is smaller than its template grows too (it was
 * kept when its pod was removed, and the pod is back), and the task waits until all have their size. Other runs do not wait for
 * volumes: a driver that cannot grow one must not keep every later plan from its end.
 */
export async function awaitGrowth(applied: readonly KubeObject[], context: TaskContext): Promise<GrowthState> {
  const state = { messages: [] as string[], waits: [] as Wait[], notices: [] as string[] };
  for (const set of applied) {
    if (!growsVolumes(set) || set.metadata.annotations?.[EXECUTION_UID_ANNOTATION] !== context.uid) continue;
    for (const one of await claimsIfAllowed(set, context)) {
      if (!isSmaller(one) || (asksForLess(one) && !(await growLate(one, context)))) continue;
      const fileSystem = fileSystemGrows(one.claim, context.clock.now());
      if (fileSystem === 'at-restart') state.notices.push(restartNotice(one, set));
      else await addWait(one, fileSystem, { state, set, context });
    }
  }
  return state;
}

/** No claims for a controller that may not list them: its StatefulSets are applied all the same. */
async function claimsIfAllowed(set: KubeObject, context: TaskContext): Promise<SizedClaim[]> {
  try {
    return await liveClaims(set, context);
  } catch (error) {
    if (codeOf(error) !== 403) throw error;
    context.log.warn('volumes.not-read', { set: nameOf(set), why: messageOf(error) });
    return [];
  }
}

/** False for a claim that cannot grow: its pod runs with the volume that it has. */
async function growLate(one: SizedClaim, context: TaskContext): Promise<boolean> {
  try {
    await requestSize(one, context);
    return true;
  } catch (error) {
    if (!(error instanceof TerminalError) || error.reason !== CANNOT_GROW) throw error;
    context.log.warn('volume.not-grown', { claim: nameOf(one.claim), why: error.message });
    return false;
  }
}

interface WaitPlace {
  readonly state: { readonly messages: string[]; readonly waits: Wait[] };
  readonly set: KubeObject;
  readonly context: TaskContext;
}

async function addWait({ claim, size }: SizedClaim, fileSystem: 'soon' | undefined, place: WaitPlace): Promise<void> {
  const what = `PersistentVolumeClaim ${nameOf(claim)}: grows from ${capacityOf(claim)} to ${size}`;
  if (fileSystem === 'soon') {
    const pod = podOfClaim(claim, place.set);
    const why = `the volume has grown, its file system not yet; some drivers grow it only when pod ${pod} restarts`;
    place.state.messages.push(`${what}; ${why}`);
    place.state.waits.push({ what, sign: 'quiet' });
    return;
  }
  const failure = await lastFailure(claim, place.context);
  place.state.messages.push(failure === undefined ? what : `${what}; ${failure}`);
  place.state.waits.push({ what, sign: failure === undefined ? 'quiet' : 'trouble' });
}

function restartNotice({ claim, size }: SizedClaim, set: KubeObject): string {
  return `The volume of PersistentVolumeClaim ${nameOf(claim)} has grown to ${size}, but its file system still has ${capacityOf(claim)}: its driver grows it when a pod mounts the volume. Delete pod ${podOfClaim(claim, set)}, which starts again at once, to use the new size.`;
}

const MAX_CHARS = 300;

/** What the driver says of a volume that does not grow. */
async function lastFailure(claim: KubeObject, { api }: TaskContext): Promise<string | undefined> {
  const about = `involvedObject.kind=PersistentVolumeClaim,involvedObject.name=${nameOf(claim)}`;
  try {
    const events = { group: '', version: 'v1', resource: 'events', namespace: namespaceOf(claim) };
    const { items } = await api.list(events, { fieldSelector: `${about},reason=VolumeResizeFailed` });
    const ours = items.filter((event) => stringAt(event.involvedObject, 'uid') === claim.metadata.uid);
    const [newest] = ours.sort((a, b) => timeOf(b).localeCompare(timeOf(a)));
    return stringAt(newest, 'message')?.slice(0, MAX_CHARS);
  } catch (error) {
    // Only the message is shorter without it.
    if (error instanceof BravoError) return undefined;
    throw error;
  }
}

function timeOf(event: KubeObject): string {
  return stringAt(event, 'lastTimestamp') ?? stringAt(event, 'eventTime') ?? '';
}

/** The outcome of the task with what its volumes add to it. */
export function withGrowth(outcome: TaskOutcome, { messages, waits, notices }: GrowthState): TaskOutcome {
  if (outcome.state === 'waiting') {
    if (messages.length === 0) return outcome;
    const all = [...outcome.messages, ...messages];
    return { ...outcome, messages: all, waits: [...(outcome.waits ?? []), ...waits] };
  }
  if (outcome.state !== 'done') return outcome;
  if (messages.length > 0) return { state: 'waiting', messages, waits };
  return notices.length === 0 ? outcome : { state: 'done', notices };
}
