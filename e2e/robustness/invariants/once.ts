import type { KubeObject } from '@/lib/kube/object';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { EXECUTION_UID_ANNOTATION } from '@/lib/kudo/names';
import type { Invariant } from './fact';

/**
 * I3: under one execution an object is created once (Jobs, artifacts of pipes), unless its plan also takes it away.
 *
 * @param mayReturn true for objects that a plan deletes and makes again
 */
export function once(mayReturn: (object: KubeObject) => boolean): Invariant {
  return (report) => {
    const created = new Set<string>();
    return (fact) => {
      if (fact.fact !== 'change' || fact.type !== 'ADDED') return;
      const { object } = fact;
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
