import { isJsonObject, type JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { isOwnedBy } from '@/lib/kube/owners';
import { type Difference, driftOf, undoneBy, withoutReplicas } from '@/lib/kudo/drift/drift';
import { LAST_APPLIED_ANNOTATION } from '@/lib/kudo/names';
import type { Instance } from '@/lib/kudo/types';
import type { Api, Target } from '@/server/kube/api';
import {
  checkOwner,
  computePatch,
  FIELD_MANAGER,
  isEmptyPatch,
  recordOf,
  withRecord,
  withReplaced,
} from '@/server/tasks/apply-object';

export interface PutBackContext {
  readonly api: Pick<Api, 'create' | 'patch'>;
  readonly instance: Pick<Instance, 'metadata'>;
  /** A HorizontalPodAutoscaler sizes the object: the number of its pods is left alone. */
  readonly keepsReplicas: boolean;
}

/** `created`: it had vanished; `changed`: these differences were undone; `nothing`: it is as it should be. */
export type PutBack =
  | { readonly did: 'created' | 'nothing' }
  | { readonly did: 'changed'; readonly differences: readonly Difference[] };

/**
 * Brings one object back to a manifest, from a live state that was read a moment ago: created when it is gone, else patched
 * as Apply does. The write is guarded by what was read. A write that the API takes without any change counts as nothing, and so
 * does a field that it does not keep.
 */
export async function putBack(
  target: Target,
  manifest: KubeObject,
  live: KubeObject | undefined,
  context: PutBackContext,
): Promise<PutBack> {
  const isChild = manifest.kind === 'Instance' && manifest.apiVersion.startsWith('kudo.dev/');
  if (live === undefined) {
    await context.api.create(target, isChild ? manifest : withRecord(manifest));
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

/** Without its record an object of ours looks like a stranger's to the next plan. */
const LOST_RECORD: Difference = {
  path: `metadata.annotations["${LAST_APPLIED_ANNOTATION}"]`,
  wanted: {},
  live: undefined,
};

function withRecordKept(manifest: KubeObject): boolean {
  return withRecord(manifest).metadata.annotations?.[LAST_APPLIED_ANNOTATION] !== undefined;
}

type WriteContext = PutBackContext & { readonly isRecordLost: boolean };

async function write(target: Target, manifest: KubeObject, live: KubeObject, context: WriteContext) {
  const { resourceVersion } = live.metadata;
  const wanted = withRecord(manifest);
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

/** Its own record; one that was taken off or spoiled on an object that is ours by owner does not make it a stranger's. */
function recordFor(live: KubeObject, { instance }: PutBackContext): JsonObject {
  const isOurs = isOwnedBy(live, instance.metadata.uid ?? '');
  try {
    return recordOf(live);
  } catch (error) {
    if (isOurs) return {};
    throw error;
  }
}
