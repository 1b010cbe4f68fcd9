import type { Instance } from '@/lib/kudo/types';
import { ACTED_UPON_ANNOTATION, type ActedUpon, actedUpon } from './acted-upon';
import { runHistory } from './run-history';
import { hasEnded, type Scheduled } from './scheduled';

/** An execution that has ended, and of which the write that empties `planExecution` and tells what it left never came. */
export interface UntoldEnd {
  readonly scheduled: Scheduled;
  /** The Instance with the record of that execution: what it began with. */
  readonly instance: Instance;
}

/**
 * The record of the execution that has ended by the status and is not in the history yet: the one on the Instance, or the one
 * before it. A process may die between the two last writes of a run, and a person edit just then; whoever writes the next
 * record keeps this one in it.
 */
export function untoldRecord(instance: Instance): ActedUpon | undefined {
  const { before, ...own } = actedUpon(instance) ?? {};
  return [own, before].find((record): record is ActedUpon => isUntold(instance, record));
}

/** The execution that is yet to be told of when `next` begins. */
export function untoldEnd(instance: Instance, next: Scheduled): UntoldEnd | undefined {
  const record = untoldRecord(instance);
  const { plan, uid } = record ?? {};
  if (plan === undefined || uid === undefined || uid === next.uid) return undefined;
  const annotations = { ...instance.metadata.annotations, [ACTED_UPON_ANNOTATION]: JSON.stringify(record) };
  return { scheduled: { plan, uid }, instance: { ...instance, metadata: { ...instance.metadata, annotations } } };
}

function isUntold(instance: Instance, record: Partial<ActedUpon> | undefined): boolean {
  const { plan, uid, ended } = record ?? {};
  if (plan === undefined || uid === undefined || ended !== undefined) return false;
  return hasEnded(instance, { plan, uid }) && runHistory(instance).every((run) => run.uid !== uid);
}
