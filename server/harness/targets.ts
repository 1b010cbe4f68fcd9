import { messageOf, TerminalError } from '@/lib/errors/errors';
import type { KubeObject } from '@/lib/kube/object';
import type { Target } from '@/server/kube/api';
import type { HarnessCluster } from './harness';

/** Where objects of a kind are: in a namespace unless the kind is cluster-scoped. */
type ObjectPlace = Pick<KubeObject, 'apiVersion' | 'kind' | 'metadata'>;

/**
 * The target of an object; without a name all of its kind. A namespaced object without a namespace is in that of the case.
 * @throws TerminalError in kubectl's words when the cluster does not serve the kind
 */
export async function harnessTarget(cluster: HarnessCluster, object: ObjectPlace, namespace: string): Promise<Target> {
  const { apiVersion, kind, metadata } = object;
  const resource = await cluster.kinds.resolve(apiVersion, kind);
  if (resource === undefined) {
    throw new TerminalError(`no matches for kind "${kind}" in version "${apiVersion}"`, 'NoKindMatch');
  }
  return {
    group: resource.group,
    version: resource.version,
    resource: resource.resource,
    ...(resource.namespaced ? { namespace: metadata.namespace || namespace } : {}),
    ...(metadata.name === undefined || metadata.name === '' ? {} : { name: metadata.name }),
  };
}

/** The object with the namespace that it gets. */
export function placed(object: KubeObject, { namespace }: Target): KubeObject {
  if (namespace === undefined || object.metadata.namespace === namespace) return object;
  return { ...object, metadata: { ...object.metadata, namespace } };
}

/** `deployments.apps "web" not found`, as the API server says it. */
export function notFoundText({ group, resource, name }: Target): string {
  return `${resource}${group === '' ? '' : `.${group}`} "${name ?? ''}" not found`;
}

/** An error at a place of a file. */
export function errorAt(
  place: { readonly file: string; lineOf(path: readonly string[]): number },
  error: unknown,
): string {
  return `${place.file}:${place.lineOf([])}: ${messageOf(error)}`;
}
