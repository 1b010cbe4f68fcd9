import type { KubeObject, OwnerReference } from './object';

/** The controller owner of that API group and kind, whatever the version. */
export function controllerOfKind(
  object: Pick<KubeObject, 'metadata'>,
  group: string,
  kind: string,
): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((owner) => owner.controller === true && isOfKind(owner, group, kind));
}

/** Every owner of that API group and kind, controller or not. */
export function ownersOfKind(object: Pick<KubeObject, 'metadata'>, group: string, kind: string): OwnerReference[] {
  return (object.metadata.ownerReferences ?? []).filter((owner) => isOfKind(owner, group, kind));
}

/** True when one of the owners has that uid. */
export function isOwnedBy(object: Pick<KubeObject, 'metadata'>, uid: string): boolean {
  return (object.metadata.ownerReferences ?? []).some((owner) => owner.uid === uid);
}

function isOfKind(owner: OwnerReference, group: string, kind: string): boolean {
  return (
    owner.kind === kind && (owner.apiVersion.split('/')[0] === group || (group === '' && owner.apiVersion === 'v1'))
  );
}
