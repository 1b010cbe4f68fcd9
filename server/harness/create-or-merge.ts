import { ConflictError } from '@/lib/errors/errors';
import type { SourceObject } from '@/lib/harness/source-object';
import { nameOfResource } from '@/lib/harness/source-object';
import type { JsonValue } from '@/lib/json/json';
import type { Target } from '@/server/kube/api';
import type { HarnessCluster, HarnessLog } from './harness';
import type { Pace } from './pace';
import { harnessTarget, placed } from './targets';

const RETRY_EVERY_MS = 200;

export interface ApplyPlace {
  readonly cluster: HarnessCluster;
  readonly namespace: string;
  readonly pace: Pace;
  readonly log: HarnessLog;
  readonly signal: AbortSignal;
}

/**
 * Creates an object, or merges what the file says into the existing one: lists are replaced, `null` removes (KUTTL
 * utils/kubernetes.go CreateOrUpdate). Conflicts are tried again until the timeout.
 *
 * @returns the target of an object that was created; undefined when it existed
 * @throws the API's error
 */
export async function createOrMerge(
  source: SourceObject,
  place: ApplyPlace,
  timeoutMs: number,
): Promise<Target | undefined> {
  const { pace } = place;
  const endMs = pace.clock.monotonic() + timeoutMs;
  for (;;) {
    try {
      return await applyOnce(source, place);
    } catch (error) {
      if (!(error instanceof ConflictError) || pace.clock.monotonic() >= endMs) throw error;
      await pace.pause(RETRY_EVERY_MS, place.signal);
    }
  }
}

async function applyOnce(
  source: SourceObject,
  { cluster, namespace, log, signal }: ApplyPlace,
): Promise<Target | undefined> {
  const target = await harnessTarget(cluster, source.object, namespace);
  const object = placed(source.object, target);
  const existing = target.name === undefined ? undefined : await cluster.api.get(target, { signal });
  if (existing === undefined) {
    const { name: _, ...collection } = target;
    const created = await cluster.api.create(collection, object, { signal });
    log.line(`${nameOfResource(created)} created`);
    return { ...target, ...(created.metadata.name === undefined ? {} : { name: created.metadata.name }) };
  }
  const { resourceVersion } = existing.metadata;
  const metadata = { ...object.metadata, ...(resourceVersion === undefined ? {} : { resourceVersion }) };
  await cluster.api.patch(target, 'merge', { ...object, metadata } as unknown as JsonValue, { signal });
  log.line(`${nameOfResource(object)} updated`);
  return undefined;
}
