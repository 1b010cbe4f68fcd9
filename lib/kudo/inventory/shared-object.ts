import type { KubeObject } from '@/lib/kube/object';
import { appliedManifest } from './applied-manifest';
import type { InventoryEntry } from './inventory';
import { contentDigest } from './manifest-digest';

/**
 * True when a live object is still as the run of this entry applied it. Cluster-scoped objects have no owner, and several Instances
 * may apply the same one; only its record says whose it is now. With another record, another client has applied it since and
 * owns it.
 */
export function isAsApplied(entry: InventoryEntry, live: Pick<KubeObject, 'metadata'>): boolean {
  const manifest = appliedManifest(live);
  return manifest !== undefined && entry.digest !== '' && contentDigest(manifest) === entry.digest;
}
