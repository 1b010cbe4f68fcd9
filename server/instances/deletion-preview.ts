import type { DeletionPreview } from '@/lib/kudo/deletion-preview';
import { CLEANUP_FINALIZER, CLEANUP_PLAN } from '@/lib/kudo/names';
import type { OwnedObject } from '@/lib/kudo/owned-object';
import type { Api } from '@/server/kube/api';
import { ownedObjects } from './owned-objects';
import { type InstanceKey, readInstance } from './read-instance';

/**
 * What deleting an Instance will do: the cleanup plan, what the garbage collector takes with it (owned by the Instance,
 * directly or through others), and what stays because nothing owns it.
 */
export async function previewDeletion(api: Api, key: InstanceKey, signal?: AbortSignal): Promise<DeletionPreview> {
  const { instance, operatorVersion } = await readInstance(api, key, signal);
  const { objects, unreadable } = await ownedObjects(api, key, signal);
  const going = ownedFrom(instance.metadata.uid ?? '', objects);
  const cleanup = operatorVersion?.spec?.plans?.[CLEANUP_PLAN];
  const runsCleanup = cleanup !== undefined && (instance.metadata.finalizers ?? []).includes(CLEANUP_FINALIZER);
  return {
    uid: instance.metadata.uid ?? '',
    cleanup: runsCleanup
      ? (cleanup.phases ?? []).map((phase) => ({
          phase: phase.name,
          steps: (phase.steps ?? []).map((step) => ({ step: step.name, tasks: step.tasks ?? [] })),
        }))
      : undefined,
    running: instance.spec?.planExecution?.planName || undefined,
    goes: objects.filter((object) => going.has(object.uid)),
    stays: objects.filter((object) => !going.has(object.uid)),
    unreadable,
  };
}

/** UIDs of everything owned by `root`, directly or through others. */
function ownedFrom(root: string, objects: readonly OwnedObject[]): Set<string> {
  const owned = new Set([root]);
  for (let grew = true; grew; ) {
    grew = false;
    for (const object of objects) {
      if (owned.has(object.uid) || object.owner === undefined || !owned.has(object.owner.uid)) continue;
      owned.add(object.uid);
      grew = true;
    }
  }
  return owned;
}
