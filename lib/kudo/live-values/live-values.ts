import { isJsonObject, type JsonObject, type JsonValue, parseJsonObject } from '@/lib/json/json';
import type { OperatorVersion } from '@/lib/kudo/types';

/**
 * What operator.yaml says of a task beside its spec: the objects that its templates read, and rules for what it applies. KUDO's CRD
 * has no field for it, so that it travels as JSON in this annotation of the OperatorVersion:
 *
 * `{TASK:{"reads":[{"id","apiVersion","kind","name","namespace","optional","readyWhen":[],"trigger"}],
 * "rules":[{"resource","kind","includeWhen":[],"readyWhen":[]}]}}`
 *
 * Keys without a value are absent. What does not have this shape is left out: the annotation can be edited by anybody.
 */
export const LIVE_VALUES_ANNOTATION = 'bravo.kudo.dev/live-values';

/** An object of the cluster that the templates of a task see as `.Objects.ID`. */
export interface ReadObject {
  /** A name for templates and expressions. */
  readonly id: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** A template that sees what templates of objects see: `{{ .Name }}-db`. */
  readonly name: string;
  /** A template; absent for the namespace of the Instance. Without effect for a kind that has no namespaces. */
  readonly namespace?: string;
  /** The task does not wait for it: `.Objects.ID` is null while it does not exist. */
  readonly optional?: boolean;
  /** CEL over `self`, `objects`, `params` and `instance`; the task waits until all of them hold. */
  readonly readyWhen?: readonly string[];
  /** The plan that starts when the object changes after a run has read it. */
  readonly trigger?: string;
}

/** Conditions on what one template of a task renders. */
export interface ResourceRule {
  /** A template of the task. */
  readonly resource: string;
  /** Only objects of this kind; absent for all objects of the template. */
  readonly kind?: string;
  /** CEL over `objects`, `params` and `instance`: the template is rendered only when all of them hold. */
  readonly includeWhen?: readonly string[];
  /** CEL over `self`, `objects`, `params` and `instance`: the object is healthy when all of them hold. */
  readonly readyWhen?: readonly string[];
}

export interface TaskLiveValues {
  readonly reads: readonly ReadObject[];
  readonly rules: readonly ResourceRule[];
}

export type LiveValuesByTask = { readonly [task: string]: TaskLiveValues };

const NOTHING: TaskLiveValues = { reads: [], rules: [] };

/** A reconcile asks for the same text many times. */
let latest: { readonly text: string; readonly byTask: LiveValuesByTask } = { text: '', byTask: {} };

/** Of every task that says something. Calls with the same OperatorVersion may return the same object. */
export function liveValuesByTask(operatorVersion: OperatorVersion | undefined): LiveValuesByTask {
  const text = operatorVersion?.metadata.annotations?.[LIVE_VALUES_ANNOTATION];
  if (text === undefined) return {};
  if (text !== latest.text) {
    const found = Object.entries(parseJsonObject(text) ?? {}).flatMap(([task, value]) =>
      isJsonObject(value) ? [[task, readTask(value)] as const] : [],
    );
    latest = { text, byTask: Object.fromEntries(found) };
  }
  return latest.byTask;
}

/** Of one task; empty lists when it says nothing. */
export function liveValuesOf(operatorVersion: OperatorVersion | undefined, task: string): TaskLiveValues {
  const byTask = liveValuesByTask(operatorVersion);
  return (Object.hasOwn(byTask, task) ? byTask[task] : undefined) ?? NOTHING;
}

/** The annotation's JSON, or undefined when no task says anything. */
export function formatLiveValues(byTask: LiveValuesByTask): string | undefined {
  const entries = Object.entries(byTask).filter(([, { reads, rules }]) => reads.length + rules.length > 0);
  return entries.length === 0 ? undefined : JSON.stringify(Object.fromEntries(entries));
}

function readTask({ reads, rules }: JsonObject): TaskLiveValues {
  return { reads: members(reads, parseReadObject), rules: members(rules, readRule) };
}

/** Undefined for what has not this shape. */
export function parseReadObject(value: JsonObject): ReadObject | undefined {
  const { id, apiVersion, kind, name, namespace, optional, readyWhen, trigger } = value;
  const isWhole = [id, apiVersion, kind, name].every((each) => typeof each === 'string');
  if (!isWhole) return undefined;
  return {
    ...({ id, apiVersion, kind, name } as Pick<ReadObject, 'id' | 'apiVersion' | 'kind' | 'name'>),
    ...(typeof namespace === 'string' ? { namespace } : {}),
    ...(optional === true ? { optional } : {}),
    ...(Array.isArray(readyWhen) ? { readyWhen: texts(readyWhen) } : {}),
    ...(typeof trigger === 'string' ? { trigger } : {}),
  };
}

function readRule({ resource, kind, includeWhen, readyWhen }: JsonObject): ResourceRule | undefined {
  if (typeof resource !== 'string') return undefined;
  return {
    resource,
    ...(typeof kind === 'string' ? { kind } : {}),
    ...(Array.isArray(includeWhen) ? { includeWhen: texts(includeWhen) } : {}),
    ...(Array.isArray(readyWhen) ? { readyWhen: texts(readyWhen) } : {}),
  };
}

function members<T>(found: JsonValue | undefined, read: (member: JsonObject) => T | undefined): readonly T[] {
  if (!Array.isArray(found)) return [];
  return found.flatMap((member) => (isJsonObject(member) ? (read(member) ?? []) : []));
}

function texts(list: readonly JsonValue[]): readonly string[] {
  return list.filter((member) => typeof member === 'string');
}
