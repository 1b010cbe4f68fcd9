import { arrayAt, isJsonObject, type JsonObject, type JsonValue, numberAt, stringAt } from '@/lib/json/json';
import { isKubeObject, type KubeObject } from '@/lib/kube/object';
import { type FailureExplanation, parseExplanation } from './failure-explanation';

/** What a run did with an object. `applied`: another process ran the task, so nobody knows what it changed. */
export const OBJECT_CHANGES = ['created', 'changed', 'unchanged', 'deleted', 'applied'] as const;
export type TouchKind = (typeof OBJECT_CHANGES)[number];

/** What is large in the record of a run (docs/decisions/070). Secret values are fingerprints. */
export interface RunRecord {
  readonly tasks: readonly TaskRecord[];
  /** Random, so that nobody can guess a short text of the record from its SHA-256, which more people may read. Not parsed. */
  readonly salt?: string;
  readonly failure?: FailureRecord;
}

export interface TaskRecord {
  readonly phase: string;
  readonly step: string;
  readonly task: string;
  readonly objects: readonly TouchedObject[];
  /** As rendered; empty when they did not fit. */
  readonly manifests: readonly KubeObject[];
}

export interface TouchedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly change: TouchKind;
  /** The patch that was sent. */
  readonly diff?: JsonObject;
}

export interface FailureRecord {
  /** Absent in records of older versions. */
  readonly explanation?: FailureExplanation;
  readonly events: readonly FailureEvent[];
  readonly logs: readonly FailureLog[];
}

export interface FailureEvent {
  /** `Pod/name`. */
  readonly object: string;
  readonly reason: string;
  readonly message: string;
  /** RFC 3339. */
  readonly time: string;
  readonly count: number;
}

export interface FailureLog {
  readonly pod: string;
  readonly container: string;
  /** The last lines. */
  readonly text: string;
}

/** The record in the JSON of its Secret; undefined for anything else. What cannot be read of it is left out. */
export function parseRunRecord(value: unknown): RunRecord | undefined {
  if (!isJsonObject(value) || !Array.isArray(value.tasks)) return undefined;
  const failure = isJsonObject(value.failure) ? readFailure(value.failure) : undefined;
  const tasks = value.tasks.filter(isJsonObject).map(readTask);
  return { tasks, ...(failure === undefined ? {} : { failure }) };
}

function readTask(value: JsonObject): TaskRecord {
  return {
    phase: stringAt(value, 'phase') ?? '',
    step: stringAt(value, 'step') ?? '',
    task: stringAt(value, 'task') ?? '',
    objects: arrayAt(value, 'objects').flatMap(readObject),
    manifests: arrayAt(value, 'manifests').flatMap((each) => (isKubeObject(each) ? [each] : [])),
  };
}

function readObject(value: JsonValue): TouchedObject[] {
  const [apiVersion, kind, name] = ['apiVersion', 'kind', 'name'].map((key) => stringAt(value, key));
  const change = OBJECT_CHANGES.find((known) => known === stringAt(value, 'change'));
  if (apiVersion === undefined || kind === undefined || name === undefined || change === undefined) return [];
  const namespace = stringAt(value, 'namespace');
  const diff = isJsonObject(value) && isJsonObject(value.diff) ? value.diff : undefined;
  const members = { ...(namespace === undefined ? {} : { namespace }), ...(diff === undefined ? {} : { diff }) };
  return [{ apiVersion, kind, name, change, ...members }];
}

function readFailure(value: JsonObject): FailureRecord {
  const explanation = parseExplanation(value.explanation);
  return {
    ...(explanation === undefined ? {} : { explanation }),
    events: arrayAt(value, 'events').map((each) => ({
      object: stringAt(each, 'object') ?? '',
      reason: stringAt(each, 'reason') ?? '',
      message: stringAt(each, 'message') ?? '',
      time: stringAt(each, 'time') ?? '',
      count: numberAt(each, 'count') ?? 1,
    })),
    logs: arrayAt(value, 'logs').map((each) => ({
      pod: stringAt(each, 'pod') ?? '',
      container: stringAt(each, 'container') ?? '',
      text: stringAt(each, 'text') ?? '',
    })),
  };
}
