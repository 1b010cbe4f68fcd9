import { arrayAt, stringAt } from '@/lib/json/json';
import { type KubeObject, parseApiVersion } from '@/lib/kube/object';

/** What a CustomResourceDefinition among rendered objects says of a kind. */
export interface DefinedKind {
  readonly definition: KubeObject;
  readonly scope: 'namespaced' | 'cluster';
  /** Versions that are served. */
  readonly versions: readonly string[];
}

/** Kinds that the definitions among these objects bring, by `group/Kind`. */
export function definedKinds(objects: readonly KubeObject[]): Map<string, DefinedKind> {
  const kinds = new Map<string, DefinedKind>();
  for (const definition of objects) {
    const { group } = parseApiVersion(definition.apiVersion);
    if (group !== 'apiextensions.k8s.io' || definition.kind !== 'CustomResourceDefinition') continue;
    const versions = arrayAt(definition.spec, 'versions')
      .filter((version) => typeof version === 'object' && version !== null && 'served' in version && version.served)
      .map((version) => stringAt(version, 'name') ?? '');
    const scope = stringAt(definition.spec, 'scope') === 'Cluster' ? 'cluster' : 'namespaced';
    const kind = stringAt(definition.spec, 'names', 'kind') ?? '';
    kinds.set(`${stringAt(definition.spec, 'group') ?? ''}/${kind}`, { definition, scope, versions });
  }
  return kinds;
}

/** The definition among these that brings the kind in some version. */
export function definitionOf(
  kinds: ReadonlyMap<string, DefinedKind>,
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
): DefinedKind | undefined {
  return kinds.get(`${parseApiVersion(apiVersion).group}/${kind}`);
}

/** True when the kind is served in that very version once its definition is in force. */
export function isDefined(
  kinds: ReadonlyMap<string, DefinedKind>,
  object: { apiVersion: string; kind: string },
): boolean {
  return definitionOf(kinds, object)?.versions.includes(parseApiVersion(object.apiVersion).version) === true;
}
