import { arrayAt, isJsonObject, type JsonValue, stringAt } from '@/lib/json/json';

/** Causes that Bravo tells apart. `missing-secret` is also a ConfigMap, or a key of either; `quota` is also a LimitRange. */
export const FAILURE_CAUSES = [
  'image-pull',
  'quota',
  'probe',
  'claim-pending',
  'rbac',
  'template-error',
  'out-of-memory',
  'crash-loop',
  'webhook-refusal',
  'finalizer',
  'missing-secret',
  'job-failed',
  'unschedulable',
  'wrong-api-version',
  'deadline',
] as const;
export type KnownCause = (typeof FAILURE_CAUSES)[number];
export type FailureCause = KnownCause | 'unknown';

const LINK_KINDS = ['step', 'object', 'pod', 'event', 'log'] as const;

/** One thing on the way from the step to the cause. */
export interface ChainLink {
  readonly kind: (typeof LINK_KINDS)[number];
  readonly text: string;
  /** The name of a pod; the text begins with `Pod NAME`. */
  readonly name?: string;
  /** When an event was seen last, RFC 3339. */
  readonly at?: string;
}

/** Why a step failed or does not end, for a person. */
export interface FailureExplanation {
  readonly cause: FailureCause;
  /** The step; absent when the plan, or an Instance, is explained. */
  readonly place?: { readonly phase: string; readonly step: string };
  /** The first sentence of the paragraph: what failed, and why. It quotes no log, so whoever may see the run may see it. */
  readonly headline: string;
  /** What failed, where, why in the words of the cluster, and what to do. */
  readonly paragraph: string;
  /** From the step to the cause, in this order: step, object, pod, event, log. Links that nothing is known of are left out. */
  readonly chain: readonly ChainLink[];
  /** What to do, the end of the paragraph; empty when nothing general can be said. */
  readonly advice: string;
}

/** True when it names a cause that is seen in pods, events or logs, which the message of a plan repeats in part or not at all. */
export function saysMoreThanPlan({ cause, chain }: FailureExplanation): boolean {
  return cause !== 'unknown' && chain.some(({ kind }) => kind === 'pod' || kind === 'event' || kind === 'log');
}

/** An explanation in JSON; undefined for anything else. Causes that this version does not know are `unknown`. */
export function parseExplanation(value: unknown): FailureExplanation | undefined {
  if (!isJsonObject(value)) return undefined;
  const paragraph = stringAt(value, 'paragraph');
  if (paragraph === undefined) return undefined;
  const [phase, step] = [stringAt(value, 'place', 'phase'), stringAt(value, 'place', 'step')];
  return {
    ...(phase === undefined || step === undefined ? {} : { place: { phase, step } }),
    cause: FAILURE_CAUSES.find((known) => known === value.cause) ?? 'unknown',
    headline: stringAt(value, 'headline') ?? '',
    paragraph,
    chain: arrayAt(value, 'chain').flatMap(readLink),
    advice: stringAt(value, 'advice') ?? '',
  };
}

function readLink(value: JsonValue): ChainLink[] {
  const kind = LINK_KINDS.find((known) => known === stringAt(value, 'kind'));
  const text = stringAt(value, 'text');
  if (kind === undefined || text === undefined) return [];
  const [name, at] = [stringAt(value, 'name'), stringAt(value, 'at')];
  return [{ kind, text, ...(name === undefined ? {} : { name }), ...(at === undefined ? {} : { at }) }];
}
