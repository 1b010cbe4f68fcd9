import type { Instance } from '@/lib/kudo/types';
import { ACTED_UPON_ANNOTATION } from './acted-upon-annotation';
import { type ActedUpon, actedUpon } from './acted-upon-record';
import { runHistory } from './run-history';
import { hasEnded, type Scheduled } from './scheduled';

/** An execution that has ended, but whose last write (empty `planExecution`, inventory, history) never happened. */
export interface UnannouncedEnd {
  readonly scheduled: Scheduled;
  /** The Instance with the record of that execution: the inputs that it began with. */
  readonly instance: Instance;
}

/**
 * The record of an execution that has ended by its status and is not in the history yet: the record on the Instance, or the one
 * before it. A process may die between the last two writes of a run, and a person may edit the Instance just then; the next record
 * keeps this one.
 */
export function unannouncedRecord(instance: Instance): ActedUpon | undefined {
  const { before, ...own } = actedUpon(instance) ?? {};
  return [own, before].find((record): record is ActedUpon => isUnannounced(instance, record));
}

/** The ended execution that must be announced when `next` begins. */
export function unannouncedEnd(instance: Instance, next: Scheduled): UnannouncedEnd | undefined {
  const record = unannouncedRecord(instance);
  const { plan, uid } = record ?? {};
  if (plan === undefined || uid === undefined || uid === next.uid) return undefined;
  const annotations = { ...instance.metadata.annotations, [ACTED_UPON_ANNOTATION]: JSON.stringify(record) };
  return { scheduled: { plan, uid }, instance: { ...instance, metadata: { ...instance.metadata, annotations } } };
}

function isUnannounced(instance: Instance, record: Partial<ActedUpon> | undefined): boolean {
  const { plan, uid, ended } = record ?? {};
  if (plan === undefined || uid === undefined || ended !== undefined) return false;
  return hasEnded(instance, { plan, uid }) && runHistory(instance).every((run) => run.uid !== uid);
}
