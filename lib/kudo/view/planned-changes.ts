import { isJsonObject, type JsonValue, jsonEqual, numberAt, objectAt } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { appliedManifest } from '@/lib/kudo/inventory/applied-manifest';
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
}

/** What the plan does to the object; undefined when it stays as it is. Compared is what the last plan applied. */
export function plannedChange({
  object,
  place,
  isDeleted,
  isReplaced,
  live,
}: PlannedPair): PlanObjectChange | undefined {
  const about = { kind: object.kind, name: nameOf(object), place };
  if (isDeleted) return live === undefined ? undefined : { ...about, change: 'delete' };
  if (live === undefined) return { ...about, change: 'create' };
  if (isReplaced) return { ...about, change: 'replace' };
  const applied = appliedManifest(live);
  return applied !== undefined && hasSameContent(applied, object) ? undefined : { ...about, change: 'change' };
}

const WORKLOADS: ReadonlySet<string> = new Set(['StatefulSet', 'Deployment', 'DaemonSet']);

/**
 * What happens to the pods of a workload, as a sentence; undefined when they stay.
 *
 * @param states the workload each time that the plan applies it
 */
export function podsRestart(pair: PlannedPair, states: readonly KubeObject[]): string | undefined {
  const { object, live, isDeleted, isReplaced } = pair;
  if (!WORKLOADS.has(object.kind) || live === undefined) return undefined;
  const label = `${object.kind} ${nameOf(object)}`;
  const isStopped = (state: KubeObject) => numberAt(state, 'spec', 'replicas') === 0;
  if (isDeleted || isStopped(object)) return `All pods of ${label} stop.`;
  if (isReplaced || states.some(isStopped)) return `All pods of ${label} stop and start again.`;
  const applied = appliedManifest(live);
  const template = (from: KubeObject) => withoutNotes(objectAt(from, 'spec', 'template'));
  if (applied === undefined || !jsonEqual(template(applied), template(object))) {
    return `The pods of ${label} restart.`;
  }
  const [was, is] = [numberAt(live, 'spec', 'replicas') ?? 1, numberAt(object, 'spec', 'replicas') ?? 1];
  return was === is ? undefined : `${label} goes from ${was} to ${is} pods.`;
}

/** Without metadata, in which every run writes its own annotations. */
function hasSameContent({ metadata: _a, ...applied }: KubeObject, { metadata: _b, ...planned }: KubeObject): boolean {
  return jsonEqual(withoutNotes(applied as JsonValue), withoutNotes(planned as JsonValue));
}

/** Without the annotations of KUDO, at any depth: each run writes its own. */
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
