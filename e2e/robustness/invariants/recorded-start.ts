import { type ActedUpon, actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import type { Instance } from '@/lib/kudo/types';
import type { Fact } from './fact';

/** An execution that a write recorded. */
export interface RecordedStart {
  readonly before: Instance;
  readonly after: Instance;
  readonly atMs: number;
  readonly plan: string;
  readonly uid: string;
  readonly record: ActedUpon;
}

/** The execution that this change of an Instance records; undefined when it records none. */
export function recordedStart(fact: Fact): RecordedStart | undefined {
  if (fact.fact !== 'change' || fact.object.kind !== 'Instance' || fact.type !== 'MODIFIED') return undefined;
  const [before, after] = [fact.before as Instance, fact.object as Instance];
  const record = actedUpon(after);
  const { plan, uid } = record ?? {};
  if (record === undefined || plan === undefined || uid === undefined || uid === actedUpon(before)?.uid)
    return undefined;
  return { before, after, atMs: fact.atMs, plan, uid, record };
}

/** `namespace/name` in messages. */
export function nameIn({ metadata }: Instance): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}
