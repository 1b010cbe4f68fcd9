import { arrayAt, isJsonObject, stringAt } from '@/lib/json/json';
import type { KindSummary } from '@/lib/kube/kinds';
import { type KubeObject, kindOf, nameOf, parseApiVersion } from '@/lib/kube/object';

/** Where objects of a kind are stored. */
export type KnownKind = Pick<KindSummary, 'group' | 'kind' | 'resource' | 'namespaced'>;

/** The kind of an object, among the kinds of the cluster or of CRDs; any version. */
export function kindAmong<K extends KnownKind>(kinds: readonly K[], object: KubeObject): K | undefined {
  const { group } = parseApiVersion(object.apiVersion);
  return kinds.find((each) => each.group === group && each.kind === object.kind);
}

/** True for a CustomResourceDefinition. */
export function isCrd(object: KubeObject): boolean {
  const { group, kind } = kindOf(object);
  return group === 'apiextensions.k8s.io' && kind === 'CustomResourceDefinition';
}

/** The kinds that the CRDs of a text will bring. */
export function kindsOfCrds(objects: readonly (KubeObject | string)[]): KnownKind[] {
  return objects.flatMap((object) => {
    if (typeof object === 'string' || !isCrd(object)) return [];
    const { spec } = object;
    const [group, kind] = [stringAt(spec, 'group'), stringAt(spec, 'names', 'kind')];
    const resource = stringAt(spec, 'names', 'plural');
    if (group === undefined || kind === undefined || resource === undefined) return [];
    return [{ group, kind, resource, namespaced: stringAt(spec, 'scope') !== 'Cluster' }];
  });
}

/** True when the API server serves the objects of a CRD. */
export function isEstablished(crd: KubeObject): boolean {
  return arrayAt(crd, 'status', 'conditions').some(
    (condition) => isJsonObject(condition) && condition.type === 'Established' && condition.status === 'True',
  );
}

/** The namespace that an object is stored in; undefined for cluster scope. */
export function homeOf(object: KubeObject, kind: KnownKind, namespace: string): string | undefined {
  return kind.namespaced ? object.metadata.namespace || namespace : undefined;
}

/** The Namespace that a document makes; undefined for every other object. */
export function namespaceMadeBy(object: KubeObject | string): string | undefined {
  return typeof object !== 'string' && object.apiVersion === 'v1' && object.kind === 'Namespace'
    ? nameOf(object)
    : undefined;
}
