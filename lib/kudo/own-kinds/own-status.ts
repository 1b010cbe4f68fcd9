import { messageOf } from '@/lib/errors/errors';
import { isJsonObject, type JsonObject, type JsonValue, jsonEqual, objectAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import type { Condition } from '@/lib/kudo/types';
import { evaluate, evaluateCel, renderExpression } from './expression';
import type { BrokenRule } from './judge-rules';
import type { ExpressionScope, OwnKind } from './types';

/** What the controller found out about a resource: the standard fields of its status, and `state` in expressions. */
export interface OwnState {
  readonly phase: string;
  /** Empty when there is nothing to say. */
  readonly message: string;
  readonly instance?: string | undefined;
  readonly operatorVersion?: string | undefined;
  /** The plan that runs. */
  readonly plan?: string | undefined;
  /** The PlanRun of a resource that is one run. */
  readonly run?: string | undefined;
  /** The uid of its execution, from the moment it is asked for. */
  readonly uid?: string | undefined;
  /** RFC 3339. */
  readonly startedAt?: string | undefined;
  readonly finishedAt?: string | undefined;
  readonly replicas?: number | undefined;
  readonly readyReplicas?: number | undefined;
  /** A label selector as text, for the scale subresource. */
  readonly selector?: string | undefined;
  readonly conditions: readonly OwnCondition[];
}

export type OwnCondition = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

export function condition(type: string, status: Condition['status'], { reason, message }: BrokenRule): OwnCondition {
  return { type, status, reason, message };
}

/** `Compatible` of a kind that has rules which do not block. */
export function compatibleCondition(kind: OwnKind, noted: BrokenRule | undefined): OwnCondition[] {
  if (!(kind.rules ?? []).some(({ blocks }) => !blocks)) return [];
  const fine = { reason: 'Compatible', message: '' };
  return [condition('Compatible', noted === undefined ? 'True' : 'False', noted ?? fine)];
}

/** The fields that an Instance has no use for any more are taken away from the status. */
const FIELDS = [
  'phase',
  'message',
  'instance',
  'operatorVersion',
  'plan',
  'run',
  'uid',
  'startedAt',
  'finishedAt',
  'replicas',
  'readyReplicas',
  'selector',
] as const;

/**
 * The merge patch that brings the status of a resource in line with the state; undefined when it says all of it already.
 *
 * @param now RFC 3339, the time of a condition that changes
 */
export function statusPatch(
  resource: KubeObject,
  { kind, state, scope }: { readonly kind: OwnKind; readonly state: OwnState; readonly scope: ExpressionScope },
  now: string,
): JsonObject | undefined {
  const before = isJsonObject(resource.status) ? resource.status : {};
  const { fields, problem } = declaredFields(kind, { ...scope, state: stateValue(state) });
  const declared = declaredConditions(kind, { ...scope, state: stateValue(state) });
  const conditions = [...state.conditions, ...declared, ...(problem === undefined ? [] : [problem])];
  const wanted: JsonObject = {
    observedGeneration: resource.metadata.generation ?? 0,
    ...stateValue(state),
    conditions: withTimes(before, conditions, now),
    ...fields,
  };
  const patch: JsonObject = {};
  for (const [field, value] of Object.entries(wanted)) if (!jsonEqual(before[field], value)) patch[field] = value;
  for (const field of [...FIELDS, ...Object.keys(kind.status ?? {})]) {
    if (!Object.hasOwn(wanted, field) && Object.hasOwn(before, field)) patch[field] = null;
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}

function stateValue(state: OwnState): JsonObject {
  const entries = FIELDS.map((field) => [field, state[field]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== '')) as JsonObject;
}

interface Declared {
  readonly fields: JsonObject;
  readonly problem: OwnCondition | undefined;
}

/** The fields that the package declares; one without value is absent, and one that cannot be evaluated is named by a condition. */
function declaredFields(kind: OwnKind, scope: ExpressionScope): Declared {
  const fields: JsonObject = {};
  let problem: OwnCondition | undefined;
  for (const [field, text] of Object.entries(kind.status ?? {})) {
    try {
      const value: JsonValue = evaluate(text, scope);
      if (value !== null) fields[field] = value;
    } catch (error) {
      const message = `status.${field}: ${messageOf(error)}`;
      problem ??= condition('StatusComplete', 'False', { reason: 'ExpressionFailed', message });
    }
  }
  return { fields, problem };
}

/** The conditions that the package declares; one whose rule cannot be evaluated is Unknown, and says why. */
function declaredConditions(kind: OwnKind, scope: ExpressionScope): OwnCondition[] {
  return (kind.conditions ?? []).map(({ type, rule, message }) => {
    try {
      if (evaluateCel(rule, scope) === true) return condition(type, 'True', { reason: 'RuleHolds', message: '' });
      const said = message.includes('{{') ? renderExpression(message, scope) : message;
      return condition(type, 'False', { reason: 'RuleDoesNotHold', message: said });
    } catch (error) {
      return condition(type, 'Unknown', { reason: 'NotKnownYet', message: messageOf(error) });
    }
  });
}

/** A condition that says the same keeps its time. */
function withTimes(before: JsonObject, conditions: readonly OwnCondition[], now: string): JsonValue {
  const known = (Array.isArray(before.conditions) ? before.conditions : []).filter(isJsonObject);
  return conditions.map((each) => {
    const old = known.find(({ type }) => type === each.type);
    const time = old?.status === each.status ? (old.lastTransitionTime ?? now) : now;
    return { ...each, lastTransitionTime: time };
  });
}

/** True for a resource whose run has ended. */
export function isRunOver(resource: KubeObject): boolean {
  const { phase, finishedAt } = objectAt(resource, 'status');
  return (phase === 'Completed' || phase === 'Failed') && typeof finishedAt === 'string';
}
