import type { Clock } from '@/lib/clock/clock';
import { BravoError, messageOf } from '@/lib/errors/errors';
import type { OwnedObject } from '@/lib/kudo/inventory/owned-object';
import { CLEANUP_FINALIZER, CLEANUP_PLAN, INSTANCE_LABEL } from '@/lib/kudo/names';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import type { DeletionPreview } from '@/lib/kudo/view/deletion-preview';
import { fatesAfterDeletion, type PlannedClaims } from '@/lib/kudo/view/volume-fate';
import { SECRET_MARK } from '@/lib/live/secret-mark';
import type { Api } from '@/server/kube/api';
import { KindIndex } from '@/server/kube/kinds';
import { inputsByTask } from '@/server/live-values/inputs-by-task';
import { readSources } from '@/server/parameters/read-sources';
import { withReadValues } from '@/server/parameters/with-read-values';
import { findDependents } from './find-dependents';
import { listClaims } from './list-claims';
import { ownedObjects } from './owned-objects';
import { type InstanceKey, readInstance } from './read-instance';
import { plannedClaims, renderPlanned, servedBy } from './render-planned';

/**
 * What deleting an Instance does: the cleanup plan, rendered with the current parameters; what it deletes; what the garbage
 * collector deletes (owned by the Instance, directly or through others); and what stays.
 */
export async function previewDeletion(
  api: Api,
  key: InstanceKey,
  clock: Clock,
  signal?: AbortSignal,
): Promise<DeletionPreview> {
  const { instance, operatorVersion } = await readInstance(api, key, signal);
  const { objects, unreadable } = await ownedObjects(api, key, signal);
  const going = ownedFrom(instance.metadata.uid ?? '', objects);
  const cleanup = cleanupOf(instance, operatorVersion);
  const { planned, problems } =
    cleanup === undefined
      ? { planned: undefined, problems: [] }
      : await renderCleanup(api, { instance, operatorVersion: cleanup, clock });
  const volumes = await volumesOf(api, key, { going, planned, problems, signal });
  const isGoing = ({ uid, kind, name }: OwnedObject) =>
    going.has(uid) || planned?.deleted.has(`${kind}/${name}`) === true;
  const others = objects.filter(({ kind }) => kind !== 'PersistentVolumeClaim');
  return {
    uid: instance.metadata.uid ?? '',
    cleanup: cleanup && phasesOf(cleanup),
    running: instance.spec?.planExecution?.planName || undefined,
    goes: others.filter(isGoing),
    stays: others.filter((object) => !isGoing(object)),
    volumes,
    dependents: await findDependents(api, key, signal),
    problems,
    unreadable,
  };
}

interface Cleanup {
  readonly planned: PlannedClaims | undefined;
  /** Sentences; what is found out later is added. */
  readonly problems: string[];
}

/** The version whose cleanup plan runs when the Instance is deleted. */
function cleanupOf({ metadata }: Instance, operatorVersion: OperatorVersion | undefined): OperatorVersion | undefined {
  const isPlanned = operatorVersion?.spec?.plans?.[CLEANUP_PLAN] !== undefined;
  return isPlanned && (metadata.finalizers ?? []).includes(CLEANUP_FINALIZER) ? operatorVersion : undefined;
}

function phasesOf({ spec }: OperatorVersion): DeletionPreview['cleanup'] {
  return (spec?.plans?.[CLEANUP_PLAN]?.phases ?? []).map((phase) => ({
    phase: phase.name,
    steps: (phase.steps ?? []).map((step) => ({ step: step.name, tasks: step.tasks ?? [] })),
  }));
}

async function renderCleanup(
  api: Api,
  input: { instance: Instance; operatorVersion: OperatorVersion; clock: Clock },
): Promise<Cleanup> {
  const cluster = { ...(await servedBy(api)), nowMs: input.clock.now() };
  const instance = withReadValues(input.instance, await readSources(api, [input.instance]), SECRET_MARK);
  const { operatorVersion } = input;
  const live = await inputsByTask({ api, kinds: new KindIndex(api), instance, operatorVersion }, CLEANUP_PLAN);
  const state = renderPlanned(instance, operatorVersion, CLEANUP_PLAN, { ...cluster, liveByTask: live });
  return { planned: plannedClaims(CLEANUP_PLAN, state), problems: [...state.problems] };
}

interface VolumeInput extends Cleanup {
  readonly going: ReadonlySet<string>;
  readonly signal: AbortSignal | undefined;
}

async function volumesOf(api: Api, key: InstanceKey, input: VolumeInput): Promise<DeletionPreview['volumes']> {
  const { going, planned, problems, signal } = input;
  try {
    const { claims, statefulSets } = await listClaims(api, key.namespace, signal);
    const own = statefulSets.filter(({ metadata }) => going.has(metadata.uid ?? '') || isOf(metadata.labels, key));
    const fates = fatesAfterDeletion({ claims, instance: key.name, statefulSets: own, going, cleanup: planned });
    return [...fates.filter(({ goes }) => goes), ...fates.filter(({ goes }) => !goes)];
  } catch (error) {
    if (!(error instanceof BravoError)) throw error;
    problems.push(`The volumes cannot be checked: ${messageOf(error)}`);
    return [];
  }
}

function isOf(labels: { readonly [name: string]: string } | undefined, { name }: InstanceKey): boolean {
  return labels?.[INSTANCE_LABEL] === name;
}

/** UIDs of everything owned by `root`, directly or through others, and of itself. */
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
