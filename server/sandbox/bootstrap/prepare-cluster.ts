import type { KubeObject } from '@/lib/kube/object';
import { internalContext } from '../registry/context';
import { createObject } from '../registry/create';
import type { Registry } from '../registry/registry';
import type { SandboxOptions } from '../sandbox-options';

const NAMESPACES = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

/** Makes what every new cluster has, where it is not there. */
export function prepareCluster(registry: Registry, _mode: SandboxOptions['mode']): void {
  for (const name of NAMESPACES) ensure(registry, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
}

function ensure(registry: Registry, object: KubeObject): void {
  const info = registry.table.findKind({ group: '', version: 'v1', kind: object.kind });
  const name = object.metadata.name ?? '';
  if (info === undefined || registry.store.get(info.storage, name) !== undefined) return;
  info.strategy.applyDefaults(object);
  createObject(registry, info, undefined, object, internalContext());
}
