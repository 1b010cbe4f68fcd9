import { parseTime } from '@/lib/clock/clock';
import { jsonEqual } from '@/lib/json/json';
import { needsApproval, withoutApproval } from '@/lib/kudo/approvals/plan-approval';
import { brokenLock, withoutLockBreak } from '@/lib/kudo/lock/instance-lock';
import {
  formatActedUpon,
  instanceAsActedUpon,
  isSameValue,
  type RecordContext,
  recordedInputs,
  withSources,
} from '@/lib/kudo/plan/acted-upon';
import { type ActedUpon, actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import { executionAsActedUpon } from '@/lib/kudo/plan/execution-under-way';
import { hasEnded } from '@/lib/kudo/plan/scheduled';
import { unannouncedRecord } from '@/lib/kudo/plan/unannounced-end';
import { isUnknownValue, NO_VALUE } from '@/lib/kudo/plan/unknown-value';
import { withoutPreview } from '@/lib/kudo/plan/without-preview';
import { enqueue } from '@/lib/kudo/queue/enqueue';
import { withGuardedQueue } from '@/lib/kudo/queue/guarded-queue';
import { isEditDecided } from '@/lib/kudo/queue/queue-proof';
import { originOf } from '@/lib/kudo/runs/run-origin';
import { startClaimOf, withoutRequest } from '@/lib/kudo/runs/run-request';
import type { Fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import { type SourceReads, withoutSourceValues } from '@/lib/kudo/sources/source-values';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import type { AdmissionDecision, JudgeStart } from './admission-decision';
import { decideWithSources } from './decision';
import { withLockAuthor } from './lock-author';
import { isOwnStep } from './own-step';
import {
  actedUponRecord,
  recordOfEnd,
  saysWhatIs,
  withActedUponRecord,
  withMemoryOf,
  withOriginOf,
  withoutMemory,
} from './record';

/** A write of an Instance as the API server shows it, with the versions that it concerns. */
export interface AdmitRequest {
  readonly operation: 'CREATE' | 'UPDATE';
  /** UPDATE only: what is stored. */
  readonly stored?: Instance | undefined;
  readonly sent: Instance;
  readonly versions: AdmitVersions;
  /** The UUID of a plan that starts. */
  readonly newUid: string;
  /** RFC 3339. */
  readonly now: string;
  readonly fingerprints: Fingerprinter;
  /** Who sends it, as the API server says. */
  readonly by?: string | undefined;
  /** What the sources of parameters hold; those that are missing here count as unchanged, or as new when they are. */
  readonly reads?: SourceReads;
  /** Preconditions are not judged when absent. */
  readonly judge?: JudgeStart | undefined;
  /** Whether who sends it may start a destructive plan; not judged when absent. */
  readonly judgeAuthor?: JudgeStart | undefined;
}

/** Each undefined when there is no such object. */
export interface AdmitVersions {
  readonly sent: OperatorVersion | undefined;
  readonly stored: OperatorVersion | undefined;
  readonly actedUpon: OperatorVersion | undefined;
}

/** True when a request can be answered without any OperatorVersion: nothing but metadata (or statuses) changes. */
export function isMetadataOnly(stored: Instance | undefined, sent: Instance): boolean {
  return stored !== undefined && jsonEqual(stored.spec, sent.spec);
}

/**
 * The decision at the door of the API: `decideAdmission`, and what it needs there.
 *
 * - The controller's own steps pass as they are (own-step.ts).
 * - An edit is compared with what was acted upon last, not with what is stored: an edit that was stored while no webhook
 *   answered is part of the question until the controller has decided about it. So the two doors never judge different
 *   edits, such an edit can be taken back, and none is lost because the next one hides it.
 * - What an edit or a trigger asks for while a plan is in progress is put into the queue of the Instance (lib/kudo/queue).
 * - The record of what was acted upon is written with the edit that starts a plan, and is nobody else's to write.
 * - Nor is the author of a lock.
 */
export function admit(asked: AdmitRequest): AdmissionDecision {
  const complete = (instance: Instance) => withSources(instance, asked.reads, asked.fingerprints);
  const stored = asked.stored === undefined ? undefined : complete(asked.stored);
  const request = { ...asked, stored, sent: complete(asked.sent) };
  const decision =
    request.operation === 'CREATE' || stored === undefined
      ? atCreate(request)
      : // By what is stored and sent: a record that differs gives the same sources other values.
        isMetadataOnly(asked.stored, asked.sent)
        ? guarded(request, stored, { rule: 'metadata', sent: withOwnQueue(request, stored) })
        : atUpdate(request, stored);
  const bare =
    decision.instance === undefined ? decision : { ...decision, instance: withoutSourceValues(decision.instance) };
  return withLockAuthor(bare, asked);
}

/** A record and an inventory in a new object are copies of another Instance's. A lock holds only what comes after the first plan. */
function atCreate({ sent, versions, newUid, now, fingerprints, judge, by }: AdmitRequest): AdmissionDecision {
  const decision = decideWithSources({
    operation: 'CREATE',
    new: withoutMemory(sent),
    newOperatorVersion: versions.sent,
    newUid,
    judge,
  });
  const about = { startedAt: now, by, was: undefined, isAsked: false };
  return recorded(decision, { fingerprints, operatorVersion: versions.sent }, about);
}

function atUpdate(request: AdmitRequest, stored: Instance): AdmissionDecision {
  const { versions, newUid, now, fingerprints } = request;
  const isOwn = isOwnStep({
    stored,
    sent: request.sent,
    storedVersion: versions.stored,
    actedUponVersion: versions.actedUpon,
    fingerprints,
    nowMs: parseTime(now),
  });
  if (isOwn) return guarded(request, stored, { rule: 'own', sent: request.sent });
  const sent = withOwnQueue(request, stored);
  // Admission sees `status` as it was sent, but only a write of the status stores one.
  const status = stored.status ?? {};
  const before = withMovedValues(instanceAsActedUpon(stored, fingerprints), sent, fingerprints);
  const planExecution = executionAsActedUpon(stored, versions.actedUpon) ?? {};
  const decision = decideWithSources({
    operation: 'UPDATE',
    old: { ...before, spec: { ...before.spec, planExecution }, status },
    new: { ...withMemoryOf(stored, sent), status },
    oldOperatorVersion: versions.actedUpon,
    newOperatorVersion: versions.sent,
    newUid: uidOfSlot(sent, fingerprints) ?? newUid,
    ...(isEditDecided(stored, fingerprints) ? { decided: stored } : {}),
    judge: request.judge,
    judgeAuthor: request.judgeAuthor,
    nowMs: parseTime(now),
  });
  if (decision.outcome === 'allowed') return guarded(request, stored, { rule: decision.rule, sent });
  const context = { fingerprints, operatorVersion: versions.sent };
  const asked = sent.spec?.planExecution ?? {};
  const isAsked = (asked.planName ?? '') !== '' && (asked.uid ?? '') !== (planExecution.uid ?? '');
  const broken = brokenLock(sent, stored, parseTime(now) ?? 0);
  const about = { startedAt: now, by: request.by, was: actedUpon(stored), isAsked, broken };
  const answer = recorded(queued(decision, request, isAsked), context, { ...about, before: unannouncedRecord(stored) });
  if (answer.instance === undefined) return answer;
  const instance = { ...endedByHand(answer.instance, request, stored) };
  if (sent.status === undefined) delete instance.status;
  else instance.status = sent.status;
  return { ...answer, instance };
}

/** The answer with the runs that wait, or without the one that starts. */
function queued(decision: AdmissionDecision, request: AdmitRequest, isAsked: boolean): AdmissionDecision {
  const { instance, plan: started, queued: plans = [] } = decision;
  if (instance === undefined || (started === undefined && plans.length === 0)) return decision;
  const { by, now: at, newUid, fingerprints } = request;
  const write = { plans, isAsked, by, at, newUid, fingerprints, ...(started === undefined ? {} : { started }) };
  return { ...decision, instance: enqueue(instance, write) };
}

/** What was sent, with no more in its queue than this person may put there. */
function withOwnQueue({ sent, by, now: at, newUid, fingerprints }: AdmitRequest, stored: Instance): Instance {
  const isBare = actedUponRecord(sent) === undefined && actedUponRecord(stored) !== undefined;
  return withGuardedQueue(stored, sent, { by, at, newUid, fingerprints, isBare });
}

/** The uid that the controller gave to the execution that it asks for. */
function uidOfSlot(sent: Instance, fingerprints: Fingerprinter): string | undefined {
  const { planName = '', uid } = sent.spec?.planExecution ?? {};
  const claimed = startClaimOf(sent, planName, fingerprints)?.uid;
  return claimed === uid ? claimed : undefined;
}

/** The Instance with values as they are sent where only their place differs: the text itself or a source of the same text. */
function withMovedValues(before: Instance, sent: Instance, fingerprints: Fingerprinter): Instance {
  const moved = Object.entries(before.spec?.parameters ?? {}).map(([name, value]) => {
    const other = sent.spec?.parameters?.[name];
    const isMoved = other !== undefined && isUnknownValue(other) !== isUnknownValue(value);
    return [name, isMoved && isSameValue(value, other, fingerprints) ? other : value] as const;
  });
  const own = moved.filter(([name, value]) => value !== NO_VALUE || Object.hasOwn(sent.spec?.parameters ?? {}, name));
  const without = Object.entries(sent.spec?.parameters ?? {}).filter(([, value]) => value === NO_VALUE);
  const parameters = { ...Object.fromEntries(without), ...Object.fromEntries(own) };
  return { ...before, spec: { ...before.spec, parameters } };
}

/** Allowed as it was sent, but for a record or a queue that is not true. */
function guarded(
  { sent: asked, fingerprints }: AdmitRequest,
  stored: Instance,
  { rule, sent }: { readonly rule: string; readonly sent: Instance },
): AdmissionDecision {
  const text = actedUponRecord(sent);
  const isAsStored = text === recordAtRest(stored, text);
  const kept = saysWhatIs(text, sent, fingerprints) ? withOriginOf(stored, sent) : withMemoryOf(stored, sent);
  const instance = isAsStored ? sent : kept;
  return instance === asked ? { outcome: 'allowed', rule } : { outcome: 'allowed-with', rule, instance };
}

/** The record that is stored; without the token of its preview when the one that was sent is, and the run has ended. */
function recordAtRest(stored: Instance, sent: string | undefined): string | undefined {
  const text = actedUponRecord(stored);
  if (text === undefined || text === sent) return text;
  const { plan = '', uid = '' } = actedUpon(stored) ?? {};
  return hasEnded(stored, { plan, uid }) ? withoutPreview(text) : text;
}

interface Beginning {
  readonly startedAt: string;
  readonly by: string | undefined;
  /** What was acted upon before. */
  readonly was: ActedUpon | undefined;
  /** True when the plan itself was asked for, not an edit. */
  readonly isAsked: boolean;
  readonly before?: ActedUpon | undefined;
  /** What is recorded of a lock that the start broke. */
  readonly broken?: string | undefined;
}

/** The answer with the record of the plan that it starts, which takes over what the person said about the run. */
function recorded(decision: AdmissionDecision, context: RecordContext, about: Beginning): AdmissionDecision {
  const { instance, plan } = decision;
  if (instance === undefined || plan === undefined) return decision;
  const { startedAt, before, by, was, isAsked, broken } = about;
  const now = recordedInputs(instance, context);
  const uid = instance.spec?.planExecution?.uid ?? '';
  const claim = startClaimOf(instance, plan, context.fingerprints);
  const claimed = claim?.uid === uid ? claim.cause : undefined;
  const isApprovalNeeded = needsApproval({ plan, instance, operatorVersion: context.operatorVersion });
  const origin = originOf({ before: was, now, instance, plan, isAsked, claimed, by, broken, isApprovalNeeded });
  const execution = { startedAt, before, plan, uid, origin };
  const begun = withoutApproval(withoutLockBreak(withoutRequest(instance, plan)));
  return { ...decision, instance: withActedUponRecord(begun, formatActedUpon(begun, context, execution)) };
}

/** A terminal status that a person wrote empties `planExecution`; the record tells the controller what it was. */
function endedByHand(
  instance: Instance,
  { sent, now, versions, fingerprints }: AdmitRequest,
  stored: Instance,
): Instance {
  const status = sent.spec?.planExecution?.status;
  const isEmptied = (instance.spec?.planExecution?.planName ?? '') === '';
  if (!isEmptied || (status !== 'COMPLETE' && status !== 'FATAL_ERROR')) return instance;
  const context = { fingerprints, operatorVersion: versions.actedUpon };
  return withActedUponRecord(instance, recordOfEnd(stored, context, { status, now }) ?? actedUponRecord(stored));
}
