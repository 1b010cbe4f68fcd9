import { arrayAt, isJsonObject, type JsonObject } from '@/lib/json/json';

/** A volume of Docker with the image store of one node. */
export interface NodeCache {
  readonly volume: string;
  /** Where Docker keeps it on this machine. */
  readonly hostPath: string;
}

const IMAGE_STORE = '/var/lib/containerd';

/** A cluster of one node, for a suite without a configuration of KIND. */
export const ONE_NODE: JsonObject = {
  kind: 'Cluster',
  apiVersion: 'kind.x-k8s.io/v1alpha4',
  nodes: [{ role: 'control-plane' }],
};

/** The nodes of a configuration of KIND; one when it names none. */
export function kindNodes(config: JsonObject): readonly JsonObject[] {
  const nodes = arrayAt(config, 'nodes').filter(isJsonObject);
  return nodes.length === 0 ? [{ role: 'control-plane' }] : nodes;
}

/** The names of the volumes that keep the images of the nodes: `CONTEXT-INDEX` (KUTTL harness.go addNodeCaches). */
export function nodeCacheVolumes(config: JsonObject, context: string): string[] {
  return kindNodes(config).map((_, index) => `${context}-${index}`);
}

/** The configuration in which each node mounts its volume. */
export function withNodeCaches(config: JsonObject, caches: readonly NodeCache[]): JsonObject {
  const nodes = kindNodes(config).map((node, index): JsonObject => {
    const cache = caches[index];
    if (cache === undefined) return node;
    const mounts = arrayAt(node, 'extraMounts');
    return { ...node, extraMounts: [...mounts, { hostPath: cache.hostPath, containerPath: IMAGE_STORE }] };
  });
  return { ...config, nodes };
}
