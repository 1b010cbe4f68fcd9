import { TerminalError } from '@/lib/errors/errors';
import type { SnapshotSource } from '@/lib/kudo/snapshot/snapshot';
import { readSnapshotSource } from '@/server/runs/snapshot-source';
import { productVersion } from '@/server/runtime/root';
import type { ClusterSession } from '../support/session';

/**
 * What a snapshot of a run is made of.
 * @throws TerminalError `NotFound` when the cluster does not have the run
 */
export async function snapshotSourceOf(
  { api, clock }: ClusterSession,
  place: { readonly namespace: string; readonly name: string },
): Promise<SnapshotSource> {
  const source = await readSnapshotSource(api, place, { version: productVersion, clock });
  if (source !== undefined) return source;
  const { namespace, name } = place;
  throw new TerminalError(
    `run ${namespace}/${name} does not exist in this cluster, or not any more: nothing can be compared with it`,
    'NotFound',
  );
}
