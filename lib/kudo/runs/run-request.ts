import { parseJsonObject, stringAt } from '@/lib/json/json';
import type { Instance } from '@/lib/kudo/types';
import { RUN_CAUSES, type RunCause } from './plan-run';

/**
 * On an Instance, in the write that asks for a plan: what the person says about the run. JSON: `{"plan", "reason"?, "stopAfter"?,
 * "retryOf"?, "cause"?}`. The start of that plan takes it off and moves it into the record of what is acted upon.
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
  /** Only a schedule says its cause itself. */
  readonly cause?: RunCause;
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
    cause: RUN_CAUSES.find((cause) => cause === value.cause) ?? '',
  };
  const given = Object.entries(members).filter(([, member]) => member !== '');
  return { plan, ...Object.fromEntries(given) };
}

/**
 * The uid of the execution that a schedule asks for; undefined for every other write. A schedule derives it from its slot, so that a second
 * try is the same execution (docs/decisions/072); admission gives everybody else's execution a new one.
 */
export function scheduledUid(instance: Instance): string | undefined {
  const { planName = '', uid = '' } = instance.spec?.planExecution ?? {};
  const isScheduled = planName !== '' && requestOf(instance, planName)?.cause === 'Schedule';
  return isScheduled && SLOT_UID.test(uid) ? uid : undefined;
}

/** A UUID of version 8. */
const SLOT_UID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The annotation's text. */
export function formatRequest(request: PlanRequest): string {
  return JSON.stringify(request);
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
