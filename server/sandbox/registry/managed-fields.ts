import type { KubeObject } from '@/lib/kube/object';
import type { WriteContext } from './context';
import type { Registry } from './registry';
import type { ResourceInfo } from './resource-info';

/** Notes who set what in a new object. */
export function trackCreate(
  _registry: Registry,
  _info: ResourceInfo,
  object: KubeObject,
  _context: WriteContext,
): void {
  delete object.metadata.managedFields;
}

/** Notes who changed what. */
export function trackUpdate(
  _registry: Registry,
  _info: ResourceInfo,
  object: KubeObject,
  _old: KubeObject,
  _context: WriteContext,
): void {
  delete object.metadata.managedFields;
}
