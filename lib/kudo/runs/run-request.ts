import { parseJsonObject, stringAt } from '@/lib/json/json';
import { APPROVAL_ANNOTATION } from '@/lib/kudo/approvals/plan-approval';
import { BREAK_LOCK_ANNOTATION } from '@/lib/kudo/lock/instance-lock';
import type { Fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import type { Instance } from '@/lib/kudo/types';
import { MAX_TOKEN_CHARS } from './preview-token';

/**
 * On an Instance, in the write that asks for a plan: what the person says about the run. JSON: `{"plan", "reason"?, "stopAfter"?,
 * "retryOf"?, "undoOf"?, "preview"?, "slot"?, "resource"?}`. The start of that plan takes it off and moves it into the record of what is acted upon.
 */
export const REQUEST_ANNOTATION = 'bravo.kudo.dev/request';

const MAX_REASON_CHARS = 1_000;
const MAX_NAME_CHARS = 253;

export interface PlanRequest {
  /** The request is about a run of this plan and no other. */
  readonly plan: string;
  readonly reason?: string;
  /** A phase after which the run is held. */
  readonly stopAfter?: string;
  /** The PlanRun that is repeated. */
  readonly retryOf?: string;
  /** The PlanRun whose parameters and version are taken back. */
  readonly undoOf?: string;
  /** The token of the preview that the person saw; a text that is none says nothing. */
  readonly preview?: string;
  /** What the controller proves by {@link claimText}. */
  readonly slot?: string;
  /** `KIND/NAME` of the resource that is this run; believed only with the proof. */
  readonly resource?: string;
}

/** The request about a run of that plan; undefined without one, and for a text that is none. */
export function requestOf({ metadata }: Pick<Instance, 'metadata'>, plan: string): PlanRequest | undefined {
  const value = parseJsonObject(metadata.annotations?.[REQUEST_ANNOTATION] ?? '');
  if (value === undefined || value.plan !== plan) return undefined;
  const text = (key: string, most: number) => cut(stringAt(value, key) ?? '', most);
  const members = {
    reason: text('reason', MAX_REASON_CHARS),
    stopAfter: text('stopAfter', MAX_NAME_CHARS),
    retryOf: text('retryOf', MAX_NAME_CHARS),
    undoOf: text('undoOf', MAX_NAME_CHARS),
    preview: text('preview', MAX_TOKEN_CHARS),
    slot: text('slot', MAX_NAME_CHARS),
    resource: text('resource', MAX_NAME_CHARS),
  };
  const given = Object.entries(members).filter(([, member]) => member !== '');
  return { plan, ...Object.fromEntries(given) };
}

/** What is said about a run, whichever plan it is of. */
export interface RunWishes extends Omit<PlanRequest, 'plan'> {
  /** Why the lock of the Instance is broken for this start. */
  readonly breakLock?: string;
  /** The PlanApproval that the start uses. */
  readonly approval?: string;
}

export type GateWishes = Pick<RunWishes, 'breakLock' | 'approval'>;

/** What of it decides whether the plan may start. */
export function gateWishes({ breakLock, approval }: GateWishes = {}): GateWishes {
  return {
    ...(breakLock === undefined ? {} : { breakLock }),
    ...(approval === undefined ? {} : { approval }),
  };
}

/** The annotations of a write that starts a plan; empty when nothing is said about the run. */
export function requestAnnotations(plan: string | undefined, wishes: RunWishes = {}): { [name: string]: string } {
  const { breakLock = '', approval = '', ...request } = wishes;
  const said = Object.entries(request).filter(([, text]) => (text ?? '') !== '');
  if (plan === undefined) return {};
  return {
    ...(breakLock === '' ? {} : { [BREAK_LOCK_ANNOTATION]: breakLock }),
    ...(approval === '' ? {} : { [APPROVAL_ANNOTATION]: approval }),
    ...(said.length === 0 ? {} : { [REQUEST_ANNOTATION]: JSON.stringify({ plan, ...Object.fromEntries(said) }) }),
  };
}

/** For what the controller itself starts a plan: a slot of a schedule, an object that a task reads and that has changed, a resource that is one run, an OperatorUpgrade that runs a plan in waves. */
export type ClaimedCause = 'Schedule' | 'Object' | 'Resource' | 'Waves';

const PURPOSES: { readonly [cause in ClaimedCause]: string } = {
  Schedule: 'of a schedule',
  Object: 'for an object',
  Resource: 'of a resource',
  Waves: 'in waves',
};

/**
 * What the request of the controller says about its execution: the uid, and a proof that only a holder of the key can make, so that a
 * person's request does not pass for it.
 */
export function claimText(uid: string, cause: ClaimedCause, fingerprints: Fingerprinter): string {
  return `${uid} ${fingerprints.signatureOf(`execution ${uid} ${PURPOSES[cause]}`)}`;
}

/**
 * The execution that the controller asks for; undefined when somebody else asks. A second try is the same execution
 * (docs/decisions/072); admission gives everybody else's execution a new one.
 */
export function startClaimOf(
  instance: Instance,
  plan: string,
  fingerprints: Fingerprinter,
): { readonly uid: string; readonly cause: ClaimedCause } | undefined {
  const { slot = '' } = requestOf(instance, plan) ?? {};
  const [uid = ''] = slot.split(' ');
  const causes: readonly ClaimedCause[] = ['Schedule', 'Object', 'Resource', 'Waves'];
  const cause = uid === '' ? undefined : causes.find((each) => slot === claimText(uid, each, fingerprints));
  return cause === undefined ? undefined : { uid, cause };
}

/** The Instance without a request about that plan. The same object when it has none. */
export function withoutRequest(instance: Instance, plan: string): Instance {
  if (requestOf(instance, plan) === undefined) return instance;
  const { [REQUEST_ANNOTATION]: _, ...annotations } = instance.metadata.annotations ?? {};
  const { annotations: _all, ...metadata } = instance.metadata;
  return { ...instance, metadata: Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations } };
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
