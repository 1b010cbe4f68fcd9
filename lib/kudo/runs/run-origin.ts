import { ownersOfKind } from '@/lib/kube/owners';
import { approvalNameOf } from '@/lib/kudo/approvals/plan-approval';
import { breakReasonOf } from '@/lib/kudo/lock/instance-lock';
import type { Instance } from '@/lib/kudo/types';
import type { RecordedChange, RunCause } from './plan-run';
import type { RunOrigin } from './read-origin';
import { type ClaimedCause, requestOf } from './run-request';

/** What is recorded of the inputs of an execution. */
export interface RecordedInputs {
  readonly operatorVersion: { readonly name?: string };
  readonly parameters: { readonly [name: string]: string };
  readonly fingerprints?: { readonly [name: string]: string } | undefined;
}

export interface OriginInput {
  /** What was acted upon before; undefined for a new Instance. */
  readonly before: RecordedInputs | undefined;
  readonly now: RecordedInputs;
  /** As it asks for the plan, with its request. */
  readonly instance: Instance;
  readonly plan: string;
  /** True when the plan itself was asked for, not an edit. */
  readonly isAsked: boolean;
  /** For what the controller asked, and proved it; undefined when somebody else did. */
  readonly claimed: ClaimedCause | undefined;
  readonly by?: string | undefined;
  /** What is recorded of a lock that the start broke. */
  readonly broken?: string | undefined;
  /** False when the start needs no approval: then it uses none, also when the Instance names one. */
  readonly isApprovalNeeded: boolean;
}

/** A value of which only the beginning is kept: annotations have a limit. */
const MAX_VALUE_CHARS = 300;
const MOST_CHANGES = 50;

export function originOf(input: OriginInput): RunOrigin {
  const { before, now, instance, plan, isAsked, claimed, by, broken, isApprovalNeeded } = input;
  const request = requestOf(instance, plan);
  const approval = isApprovalNeeded ? approvalNameOf(instance) : undefined;
  const reason = request?.reason ?? (broken === undefined ? undefined : breakReasonOf(instance));
  const wasVersion = before?.operatorVersion.name;
  const isOtherVersion = wasVersion !== undefined && wasVersion !== now.operatorVersion.name;
  const changes = before === undefined ? [] : changesBetween(before, now);
  const cause = (): RunCause => {
    if (claimed !== undefined) return claimed;
    if (request?.retryOf !== undefined) return 'Retry';
    if (isAsked) return 'Manual';
    if (ownersOfKind(instance, 'kudo.dev', 'Instance').length > 0) return 'Parent';
    if (before === undefined) return 'Create';
    if (isOtherVersion) return 'Version';
    return changes.length > 0 ? 'Parameters' : 'Manual';
  };
  return {
    cause: cause(),
    // No person asked.
    ...(claimed !== undefined || by === undefined || by === '' ? {} : { by }),
    ...(reason === undefined ? {} : { reason }),
    ...(request?.stopAfter === undefined ? {} : { stopAfter: request.stopAfter }),
    ...(request?.retryOf === undefined ? {} : { retryOf: request.retryOf }),
    ...(request?.undoOf === undefined ? {} : { undoOf: request.undoOf }),
    ...(request?.preview === undefined ? {} : { preview: request.preview }),
    ...(isOtherVersion ? { versionBefore: wasVersion } : {}),
    ...(changes.length === 0 ? {} : { changes }),
    ...(broken === undefined ? {} : { brokenLock: broken }),
    ...(approval === undefined ? {} : { approval }),
  };
}

/** Sorted by name; at most {@link MOST_CHANGES}. */
function changesBetween(before: RecordedInputs, now: RecordedInputs): RecordedChange[] {
  const secrets = new Set([...Object.keys(before.fingerprints ?? {}), ...Object.keys(now.fingerprints ?? {})]);
  const was: { [name: string]: string } = { ...before.parameters, ...before.fingerprints };
  const is: { [name: string]: string } = { ...now.parameters, ...now.fingerprints };
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].sort();
  const changed = names.filter((name) => was[name] !== is[name]).slice(0, MOST_CHANGES);
  return changed.map((name) => {
    const [old, next] = [was[name], is[name]];
    // A parameter that became secret has its value in one of the two.
    const hides = (value: string, isFingerprint: boolean) => (secrets.has(name) && !isFingerprint ? 'hidden' : value);
    return {
      name,
      ...(old === undefined ? {} : { before: cut(hides(old, Object.hasOwn(before.fingerprints ?? {}, name))) }),
      ...(next === undefined ? {} : { after: cut(hides(next, Object.hasOwn(now.fingerprints ?? {}, name))) }),
      ...(secrets.has(name) ? { secret: true } : {}),
    };
  });
}

/** True when a record may hold only the beginning of this value. */
export function isCutValue(value: string): boolean {
  return value.length === MAX_VALUE_CHARS && value.endsWith('…');
}

/** True when a run may have changed more parameters than these, which its record names. */
export function isCutList(changes: readonly RecordedChange[]): boolean {
  return changes.length >= MOST_CHANGES;
}

function cut(text: string): string {
  return text.length <= MAX_VALUE_CHARS ? text : `${text.slice(0, MAX_VALUE_CHARS - 1)}…`;
}
