import type { KubeObject } from '@/lib/kube/object';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { controllerOfKind } from '@/lib/kube/owners';
import { EXECUTION_UID_ANNOTATION } from '@/lib/kudo/names';
import type { Invariant } from './fact';

/** The requests of one reconcile, some of which hang until their deadline. */
const ONE_LOOK_MS = 120_000;

/**
 * I3: one execution creates an object once (Jobs, artifacts of pipes), unless its plan also deletes it.
 *
 * @param mayReturn true for objects that a plan deletes and creates again
 */
export function once(mayReturn: (object: KubeObject) => boolean): Invariant {
  return (report) => {
    const created = new Set<string>();
    const deletions = new Deletions();
    return (fact) => {
      if (fact.fact !== 'change') return;
      const { object } = fact;
      if (fact.type === 'DELETED') deletions.note(object, fact.atMs);
      if (fact.type !== 'ADDED') return;
      const ownerGoneAtMs = deletions.ofOwner(object);
      if (ownerGoneAtMs !== undefined) {
        reportLate(report, object, fact.atMs - ownerGoneAtMs);
        return;
      }
      const key = keyOf(object);
      if (key === undefined || mayReturn(object)) return;
      if (created.has(key)) report(`I3: ${key} was created twice`);
      created.add(key);
    };
  };
}

/** When Instances were deleted. */
class Deletions {
  private readonly atMsByUid = new Map<string, number>();

  note(object: KubeObject, atMs: number): void {
    if (object.kind === 'Instance') this.atMsByUid.set(object.metadata.uid ?? '', atMs);
  }

  /** Of the Instance that owns an object. */
  ofOwner(object: KubeObject): number | undefined {
    return this.atMsByUid.get(controllerOfKind(object, 'kudo.dev', 'Instance')?.uid ?? '');
  }
}

/** A reconcile that had already started cannot know; the garbage collector deletes what it creates. */
function reportLate(report: (violation: string) => void, object: KubeObject, sinceMs: number): void {
  if (sinceMs <= ONE_LOOK_MS) return;
  report(`I3: ${object.kind} ${nameOf(object)} was created for an Instance that was deleted ${sinceMs} ms before`);
}

/** The object and its execution; undefined for an object that no plan created. */
function keyOf(object: KubeObject): string | undefined {
  const execution = object.metadata.annotations?.[EXECUTION_UID_ANNOTATION];
  // A StatefulSet's or Deployment's pods carry the marks of their template; their controllers make them.
  if (execution === undefined || isMadeByWorkload(object)) return undefined;
  return `${object.kind} ${namespaceOf(object)}/${nameOf(object)} under ${execution}`;
}

function isMadeByWorkload({ metadata }: KubeObject): boolean {
  return (metadata.ownerReferences ?? []).some(({ kind, controller }) => controller === true && kind !== 'Instance');
}
