import { type KubeObject, nameOf } from '@/lib/kube/object';
import type { LeftoverObject } from '@/lib/kudo/drift/report';
import { keyOfObject } from '@/lib/kudo/inventory/inventory';
import { PLAN_ANNOTATION } from '@/lib/kudo/names';
import type { KindIndex } from '@/server/kube/kinds';

/** Deleting these loses data, or every object of a kind or a namespace. */
const HOLD_DATA: ReadonlySet<string> = new Set([
  '/PersistentVolumeClaim',
  '/PersistentVolume',
  '/Namespace',
  'apiextensions.k8s.io/CustomResourceDefinition',
]);

/** A leftover as the report shows it; undefined for a kind that the cluster no longer serves. */
export async function describeLeftover(object: KubeObject, kinds: KindIndex): Promise<LeftoverObject | undefined> {
  const target = await kinds.targetOf(object);
  if (target === undefined) return undefined;
  const { group, version, resource } = target;
  return {
    key: keyOfObject(object),
    apiVersion: object.apiVersion,
    kind: object.kind,
    name: nameOf(object),
    group,
    version,
    resource,
    uid: object.metadata.uid ?? '',
    createdAt: object.metadata.creationTimestamp ?? '',
    plan: object.metadata.annotations?.[PLAN_ANNOTATION] ?? '',
    isClaim: HOLD_DATA.has(`${group}/${object.kind}`),
    isShared: target.namespace === undefined,
  };
}
