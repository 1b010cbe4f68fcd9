import { type KubeObject, nameOf, parseApiVersion } from '@/lib/kube/object';
import type { Instance } from '@/lib/kudo/types';
import type { OwnKind, OwnVersion } from './types';

/** On an OperatorVersion: `api:` of operator.yaml as JSON, a list of {@link OwnKind}. KUDO's CRD has no field for it, and KUDO ignores it. */
export const API_ANNOTATION = 'bravo.kudo.dev/api';
/** On a CRD: the operator that brings the kind. Controllers watch the kinds with it. */
export const OWN_KIND_LABEL = 'bravo.kudo.dev/operator';
/** On a CRD: the version of the operator that it was made from. */
export const CRD_VERSION_ANNOTATION = 'bravo.kudo.dev/api-version';
/**
 * On an Instance: `KIND.GROUP/NAME` of the resource that it belongs to. Not an owner reference: the garbage collector would delete the
 * Instance, with its data, when the resource is restored under another uid or its finalizer is removed by hand.
 */
export const OWNED_BY_ANNOTATION = 'bravo.kudo.dev/owned-by';
/** `"true"` on a resource: an Instance of its name that exists becomes its own. */
export const ADOPT_ANNOTATION = 'bravo.kudo.dev/adopt';
/** On a resource: the name of the OperatorVersion that its Instance has. */
export const VERSION_ANNOTATION = 'bravo.kudo.dev/operator-version';
/** On a resource with an Instance: the Instance is deleted before it. */
export const OWN_KIND_FINALIZER = 'bravo.kudo.dev/own-kind';

export function crdNameOf({ plural, group }: Pick<OwnKind, 'plural' | 'group'>): string {
  return `${plural}.${group}`;
}

/** The version whose schema expressions see. */
export function storageVersionOf(kind: OwnKind): OwnVersion | undefined {
  return kind.versions.find(({ storage }) => storage);
}

/** What {@link OWNED_BY_ANNOTATION} says of an Instance of this resource. */
export function ownerText(resource: KubeObject): string {
  return `${resource.kind}.${parseApiVersion(resource.apiVersion).group}/${nameOf(resource)}`;
}

export interface OwnerLink {
  readonly kind: string;
  readonly group: string;
  readonly name: string;
}

/** The resource in the same namespace that an Instance belongs to; undefined for an Instance of nobody. */
export function ownerLinkOf({ metadata }: Pick<Instance, 'metadata'>): OwnerLink | undefined {
  const [, kind, group, name] =
    /^([A-Za-z0-9]+)\.([a-z0-9.-]+)\/(.+)$/.exec(metadata.annotations?.[OWNED_BY_ANNOTATION] ?? '') ?? [];
  return kind === undefined || group === undefined || name === undefined ? undefined : { kind, group, name };
}
