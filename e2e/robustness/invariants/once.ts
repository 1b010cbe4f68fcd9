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
    const goneAtMs = new Map<string, number>();
    return (fact) => {
      if (fact.fact !== 'change') return;
      const { object } = fact;
      if (object.kind === 'Instance' && fact.type === 'DELETED') goneAtMs.set(object.metadata.uid ?? '', fact.atMs);
      if (fact.type !== 'ADDED') return;
      const ownerGoneAtMs = goneAtMs.get(controllerOfKind(object, 'kudo.dev', 'Instance')?.uid ?? '');
      if (ownerGoneAtMs !== undefined) {
        // A reconcile that had already started cannot know; the garbage collector deletes what it creates.
        const sinceMs = fact.atMs - ownerGoneAtMs;
        if (sinceMs > ONE_LOOK_MS)
          report(
            `I3: ${object.kind} ${nameOf(object)} was created for an Instance that was deleted ${sinceMs} ms before`,
          );
        return;
      }
      const execution = object.metadata.annotations?.[EXECUTION_UID_ANNOTATION];
      // A StatefulSet's or Deployment's pods carry the marks of their template; their controllers make them.
      if (execution === undefined || isMadeByWorkload(object) || mayReturn(object)) return;
      const key = `${object.kind} ${namespaceOf(object)}/${nameOf(object)} under ${execution}`;
      if (created.has(key)) report(`I3: ${key} was created twice`);
      created.add(key);
    };
  };
}

function isMadeByWorkload({ metadata }: KubeObject): boolean {
  return (metadata.ownerReferences ?? []).some(({ kind, controller }) => controller === true && kind !== 'Instance');
}
