import { formatTime, parseTime } from '@/lib/clock/clock';
import { parseJsonObject, stringAt } from '@/lib/json/json';
import type { Instance } from '@/lib/kudo/types';

/**
 * On an Instance: no plan of it starts until the lock ends. JSON: `{"reason", "until", "by"?, "since"?, "proof"?}`, times in RFC 3339. Who
 * locked it and since when is filled in by admission, which proves it (lock-proof.ts, docs/decisions/075).
 */
export const LOCK_ANNOTATION = 'bravo.kudo.dev/lock';
/** On an Instance, in the write that starts a plan or before it: why the lock is broken for this start. The start takes it off. */
export const BREAK_LOCK_ANNOTATION = 'bravo.kudo.dev/break-lock';

const MOST_REASON_CHARS = 1_000;
const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/;

export interface InstanceLock {
  /** One line. */
  readonly reason: string;
  /** RFC 3339: when it is over by itself. */
  readonly until: string;
  /** A user name; absent where no webhook could tell. */
  readonly by?: string;
  /** RFC 3339. */
  readonly since?: string;
  /** That admission has written who and since when. */
  readonly proof?: string;
}

type Annotated = Pick<Instance, 'metadata'>;

/** The text of the annotation. */
export function lockText(lock: InstanceLock): string {
  const { reason, until, by, since, proof } = lock;
  return JSON.stringify({
    reason,
    until,
    ...(by === undefined ? {} : { by }),
    ...(since === undefined ? {} : { since }),
    ...(proof === undefined ? {} : { proof }),
  });
}

/** The lock in a text of the annotation, or why it is none, as the rest of a sentence that begins with its name. */
export function readLock(text: string): InstanceLock | { readonly problem: string } {
  const value = parseJsonObject(text);
  if (value === undefined) return { problem: 'must be JSON: {"reason": "…", "until": "2026-01-31T18:00:00Z"}' };
  const reason = oneLine(stringAt(value, 'reason') ?? '');
  if (reason === '') return { problem: 'needs a "reason"' };
  if (reason.length > MOST_REASON_CHARS)
    return { problem: `has a "reason" of more than ${MOST_REASON_CHARS} characters` };
  const until = stringAt(value, 'until') ?? '';
  if (timeOf(until) === undefined) {
    return { problem: 'needs an "until", a time like 2026-01-31T18:00:00Z' };
  }
  const [by = '', since = '', proof = ''] = ['by', 'since', 'proof'].map((key) => stringAt(value, key));
  return {
    reason,
    until,
    ...(by === '' ? {} : { by: oneLine(by) }),
    ...(since === '' ? {} : { since }),
    ...(proof === '' ? {} : { proof }),
  };
}

/** The lock on the Instance, also one that is over; undefined without one, and for a text that is none. */
export function lockOf({ metadata }: Annotated): InstanceLock | undefined {
  const text = metadata.annotations?.[LOCK_ANNOTATION];
  const lock = text === undefined ? undefined : readLock(text);
  return lock === undefined || 'problem' in lock ? undefined : lock;
}

/** The lock that holds the Instance at that moment; one that is over counts for nothing. */
export function lockInForce(instance: Annotated, nowMs: number): InstanceLock | undefined {
  const lock = lockOf(instance);
  return lock !== undefined && nowMs < lockEndMs(lock) ? lock : undefined;
}

/** When the lock is over, ms since 1970. */
export function lockEndMs({ until }: InstanceLock): number {
  return parseTime(until) ?? 0;
}

/** Why the lock is broken, in the words of who starts the plan; undefined when nobody breaks it. */
export function breakReasonOf({ metadata }: Annotated): string | undefined {
  const text = oneLine(metadata.annotations?.[BREAK_LOCK_ANNOTATION] ?? '');
  return text === '' ? undefined : cut(text, MOST_REASON_CHARS);
}

/** The Instance with a reason to break its lock. */
export function withLockBreak(instance: Instance, reason: string): Instance {
  const annotations = { ...instance.metadata.annotations, [BREAK_LOCK_ANNOTATION]: reason };
  return { ...instance, metadata: { ...instance.metadata, annotations } };
}

/** The Instance without a reason to break its lock: a start used it up. The same object when it has none. */
export function withoutLockBreak(instance: Instance): Instance {
  if (instance.metadata.annotations?.[BREAK_LOCK_ANNOTATION] === undefined) return instance;
  const { [BREAK_LOCK_ANNOTATION]: _, ...annotations } = instance.metadata.annotations;
  const { annotations: _all, ...metadata } = instance.metadata;
  return { ...instance, metadata: Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations } };
}

/** Who locked it until when and why, without a full stop: `is locked by U until T: REASON`. */
export function lockWords({ by, until, reason }: InstanceLock): string {
  return `is locked${by === undefined ? '' : ` by ${by}`} until ${until}: ${reason.replace(/\.$/, '')}`;
}

/** Why no plan of the Instance starts, and what to do, without its full stop. */
export function lockRefusal({ metadata }: Annotated, lock: InstanceLock): string {
  const { namespace = '', name = '' } = metadata;
  return (
    `${lockedName({ metadata }, lock)}. Unlock it with \`bravo unlock ${name} -n ${namespace}\`, or break the lock ` +
    `with \`--break-lock REASON\` (the annotation ${BREAK_LOCK_ANNOTATION} in the same write)`
  );
}

/** The same for a button of the console. */
export function lockSentence(instance: Annotated, lock: InstanceLock): string {
  return `${lockedName(instance, lock)}. Unlock it, or break the lock, at the top of its pages.`;
}

function lockedName({ metadata }: Annotated, lock: InstanceLock): string {
  return `Instance ${metadata.namespace ?? ''}/${metadata.name ?? ''} ${lockWords(lock)}`;
}

/**
 * Why a start is refused; undefined without a lock that is in force, and when it is broken. The lock that was stored counts too, so that
 * a write that takes it off starts nothing: whoever unlocks says so in a write of its own.
 */
export function lockedStart(sent: Annotated, stored: Annotated | undefined, nowMs: number): string | undefined {
  const lock = effectiveLock(sent, stored, nowMs);
  return lock === undefined || breakReasonOf(sent) !== undefined ? undefined : lockRefusal(sent, lock);
}

/** What is recorded of a start that broke a lock, one sentence; undefined when it broke none. */
export function brokenLock(sent: Annotated, stored: Annotated | undefined, nowMs: number): string | undefined {
  const lock = effectiveLock(sent, stored, nowMs);
  const why = breakReasonOf(sent);
  if (lock === undefined || why === undefined) return undefined;
  const whose = lock.by === undefined ? 'The lock' : `The lock of ${lock.by}`;
  return `${whose} until ${lock.until} (${lock.reason}) was broken: ${why}`;
}

function effectiveLock(sent: Annotated, stored: Annotated | undefined, nowMs: number): InstanceLock | undefined {
  return (stored === undefined ? undefined : lockInForce(stored, nowMs)) ?? lockInForce(sent, nowMs);
}

const UNIT_MS: { readonly [unit: string]: number } = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A lock that a person asks for. @param until `30m`, `4h`, `7d` or RFC 3339 */
export function newLock(reason: string, until: string, nowMs: number): InstanceLock | { readonly problem: string } {
  const [, count, unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(until) ?? [];
  const endMs = count === undefined ? timeOf(until) : nowMs + Number(count) * (UNIT_MS[unit] ?? 0);
  if (endMs === undefined)
    return { problem: 'the end must be a time like 2026-01-31T18:00:00Z, or 30m, 4h, 7d from now' };
  if (endMs <= nowMs) return { problem: `the end ${until} is over` };
  const lock = readLock(lockText({ reason, until: formatTime(endMs) }));
  return 'problem' in lock ? { problem: `the lock ${lock.problem}` } : lock;
}

function timeOf(text: string): number | undefined {
  return RFC_3339.test(text) ? parseTime(text) : undefined;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
