import type { KubeObject } from '@/lib/kube/object';
import { appliedManifest } from './applied-manifest';
import type { InventoryEntry } from './inventory';
import { contentDigest } from './manifest-digest';

/**
 * True when what is there is still what the run of this entry applied. Cluster-scoped objects have no owner and several
 * Instances may give the same one; whose it is now can only be told from its record. One that says otherwise was applied by
 * somebody else since, and is theirs.
 */
export function isAsApplied(entry: InventoryEntry, live: Pick<KubeObject, 'metadata'>): boolean {
  const manifest = appliedManifest(live);
  return manifest !== undefined && entry.digest !== '' && contentDigest(manifest) === entry.digest;
}
