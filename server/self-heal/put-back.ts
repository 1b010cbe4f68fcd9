import { isJsonObject, type JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { isOwnedBy } from '@/lib/kube/owners';
import { type Difference, driftOf, undoneBy, withoutReplicas } from '@/lib/kudo/drift/drift';
import { LAST_APPLIED_ANNOTATION } from '@/lib/kudo/names';
import type { Instance } from '@/lib/kudo/types';
import type { Api, Target } from '@/server/kube/api';
import { computePatch, isEmptyPatch, lastApplied, withLastApplied, withReplaced } from '@/server/tasks/applied-record';
import { checkOwner, FIELD_MANAGER } from '@/server/tasks/apply-object';

export interface PutBackContext {
  readonly api: Pick<Api, 'create' | 'patch'>;
  readonly instance: Pick<Instance, 'metadata'>;
  /** A HorizontalPodAutoscaler sets the replicas of the object, so they stay. */
  readonly keepsReplicas: boolean;
}

/** `created`: it was missing; `changed`: these differences were reverted; `nothing`: it is as applied. */
export type PutBack =
  | { readonly did: 'created' | 'nothing' }
  | { readonly did: 'changed'; readonly differences: readonly Difference[] };

/**
 * Restores one object to a manifest: creates it when it is missing, else patches it as Apply does. The write is guarded by the
 * resourceVersion of `live`. A write that changes nothing counts as `nothing`, and so does a field that the API server drops.
 */
export async function putBack(
  target: Target,
  manifest: KubeObject,
  live: KubeObject | undefined,
  context: PutBackContext,
): Promise<PutBack> {
  const isChild = manifest.kind === 'Instance' && manifest.apiVersion.startsWith('kudo.dev/');
  if (live === undefined) {
    await context.api.create(target, isChild ? manifest : withLastApplied(manifest));
    return { did: 'created' };
  }
  if ((live.metadata.deletionTimestamp ?? '') !== '' || isChild) return { did: 'nothing' };
  checkOwner(live, { instance: context.instance as Instance });
  const all = driftOf(manifest, live);
  const isRecordLost = withRecordKept(manifest) && live.metadata.annotations?.[LAST_APPLIED_ANNOTATION] === undefined;
  const differences = [...(context.keepsReplicas ? withoutReplicas(all) : all), ...(isRecordLost ? [LOST_RECORD] : [])];
  const written = await write(target, manifest, live, { ...context, isRecordLost });
  if (written === undefined || written.metadata.resourceVersion === live.metadata.resourceVersion)
    return { did: 'nothing' };
  const undone = undoneBy(differences, manifest, written);
  return undone.length === 0 ? { did: 'nothing' } : { did: 'changed', differences: undone };
}

/** Without its record the next plan would take the object for another client's. */
const LOST_RECORD: Difference = {
  path: `metadata.annotations["${LAST_APPLIED_ANNOTATION}"]`,
  wanted: {},
  live: undefined,
};

function withRecordKept(manifest: KubeObject): boolean {
  return withLastApplied(manifest).metadata.annotations?.[LAST_APPLIED_ANNOTATION] !== undefined;
}

type WriteContext = PutBackContext & { readonly isRecordLost: boolean };

async function write(target: Target, manifest: KubeObject, live: KubeObject, context: WriteContext) {
  const { resourceVersion } = live.metadata;
  const wanted = withLastApplied(manifest);
  if (wanted.metadata.annotations?.[LAST_APPLIED_ANNOTATION] === undefined) {
    const guarded = { ...wanted, metadata: { ...wanted.metadata, resourceVersion } };
    return context.api.patch(target, 'apply', guarded as unknown as JsonObject, {
      fieldManager: FIELD_MANAGER,
      force: true,
    });
  }
  const { patch, type } = computePatch(withReplaced(recordFor(live, context), wanted, live), wanted, live);
  if (context.keepsReplicas && isJsonObject(patch.spec)) {
    delete patch.spec.replicas;
    if (Object.keys(patch.spec).length === 0) delete patch.spec;
  }
  if (isEmptyPatch(patch, context.isRecordLost)) return undefined;
  const metadata = isJsonObject(patch.metadata) ? patch.metadata : {};
  return context.api.patch(target, type, {
    ...patch,
    metadata: { ...metadata, resourceVersion: resourceVersion ?? '' },
  });
}

/** The object's record; empty when it was removed or damaged on an object that the Instance owns. */
function recordFor(live: KubeObject, { instance }: PutBackContext): JsonObject {
  const isOurs = isOwnedBy(live, instance.metadata.uid ?? '');
  try {
    return lastApplied(live);
  } catch (error) {
    if (isOurs) return {};
    throw error;
  }
}
