import { isJsonObject, type JsonValue, jsonEqual, numberAt, objectAt } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import type { PlanObjectChange } from './plan-preview';

/** One object of a plan, as it exists and as the plan leaves it. */
export interface PlannedPair {
  readonly object: KubeObject;
  readonly place: string;
  /** The plan removes it in the end. */
  readonly isDeleted: boolean;
  /** The plan deletes it before it applies it. */
  readonly isReplaced: boolean;
  /** Undefined when it does not exist. */
  readonly live: KubeObject | undefined;
  /** What applying makes of it; the live object itself when nothing changes. */
  readonly after: KubeObject;
}

/** What the plan does to the object in the end; undefined when it stays as it is. */
export function plannedChange(pair: PlannedPair): Pick<PlanObjectChange, 'change'> | undefined {
  const { isDeleted, isReplaced, live, after } = pair;
  if (isDeleted) return live === undefined ? undefined : { change: 'delete' };
  if (live === undefined) return { change: 'create' };
  if (isReplaced) return { change: 'replace' };
  return after === live ? undefined : { change: 'change' };
}

const WORKLOADS: ReadonlySet<string> = new Set(['StatefulSet', 'Deployment', 'DaemonSet']);

/**
 * What happens to the pods of a workload, as a sentence; undefined when they stay.
 *
 * @param states the workload each time that the plan applies it
 */
export function podsRestart(pair: PlannedPair, states: readonly KubeObject[]): string | undefined {
  const { object, live, isDeleted, isReplaced, after } = pair;
  if (!WORKLOADS.has(object.kind) || live === undefined) return undefined;
  const label = `${object.kind} ${nameOf(object)}`;
  const isStopped = (state: KubeObject) => numberAt(state, 'spec', 'replicas') === 0;
  if (isDeleted || isStopped(object)) return `All pods of ${label} stop.`;
  if (isReplaced || states.some(isStopped)) return `All pods of ${label} stop and start again.`;
  const template = (from: KubeObject) => objectAt(from, 'spec', 'template');
  if (!jsonEqual(template(live), template(after))) return `The pods of ${label} restart.`;
  const [was, is] = [numberAt(live, 'spec', 'replicas') ?? 1, numberAt(after, 'spec', 'replicas') ?? 1];
  return was === is ? undefined : `${label} goes from ${was} to ${is} pods.`;
}

/** True when two rendered objects are the same but for metadata, in which every task writes its own annotations. */
export function hasSameContent({ metadata: _a, ...one }: KubeObject, { metadata: _b, ...other }: KubeObject): boolean {
  return jsonEqual(withoutNotes(one as JsonValue), withoutNotes(other as JsonValue));
}

const SERVER_FIELDS = ['managedFields', 'resourceVersion', 'uid', 'creationTimestamp', 'generation', 'selfLink'];

/** An object for a person: without its status, what the API server writes into its metadata, and the annotations of KUDO at any depth. */
export function shownObject({ status: _, metadata, ...rest }: KubeObject): KubeObject {
  const kept = Object.entries(metadata).filter(([key]) => !SERVER_FIELDS.includes(key));
  return withoutNotes({ ...rest, metadata: Object.fromEntries(kept) } as JsonValue) as KubeObject;
}

function withoutNotes(value: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(value)) return value.map((member) => withoutNotes(member) ?? null);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).flatMap(([key, member]) => {
    if (key !== 'annotations' || !isJsonObject(member)) return [[key, withoutNotes(member) ?? null] as const];
    const kept = Object.entries(member).filter(([name]) => !name.startsWith('kudo.dev/'));
    return kept.length === 0 ? [] : [[key, Object.fromEntries(kept)] as const];
  });
  return Object.fromEntries(members);
}
