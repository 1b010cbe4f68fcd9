import type { KubeObject } from '@/lib/kube/object';
import { objectKey, type StoredObject } from '../store/collection';
import { markCurrent } from './convert';
import type { ObjectPlace, Registry } from './registry';

/** Stores an object that passed all checks. */
export function putObject(
  registry: Registry,
  { info, namespace, name }: ObjectPlace,
  object: KubeObject,
): StoredObject {
  const stored = registry.store.put(info.storage, objectKey(namespace, name), object);
  markCurrent(info, stored);
  return stored;
}
