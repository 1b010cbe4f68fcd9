import { request } from '@/components/live/request';
import { runBulk } from '@/lib/kube/bulk/run-bulk';
import type { Dependent } from '@/lib/kube/dependents';
import type { DeletionPreview } from '@/lib/kudo/view/deletion-preview';
import { instanceApiPath } from '@/lib/kudo/view/instance-path';
import { limits } from '@/lib/limits/limits';
import { type KnownConsequences, readConsequences } from '../delete-consequences';
import { readStoredObject } from '../object-address';
import type { BulkTarget, BulkTargets } from './bulk-target';

/** Objects whose own consequences are asked for one by one: each takes several requests. */
const ONE_BY_ONE = 20;

/** What else is deleted with many objects; `notes` are further sentences. */
export interface ManyConsequences extends KnownConsequences {
  readonly notes: readonly string[];
}

/** Asks the cluster what is deleted with all of these objects. Of many, the first are asked about, and `notes` say so. */
export async function readManyConsequences(targets: BulkTargets, signal: AbortSignal): Promise<ManyConsequences> {
  const { group, resource } = targets[0]?.type ?? { group: '', resource: '' };
  if (group === 'kudo.dev' && resource === 'instances') return ofInstances(targets, signal);
  const isContainer =
    (group === '' && resource === 'namespaces') ||
    (group === 'apiextensions.k8s.io' && resource === 'customresourcedefinitions');
  return isContainer ? ofContainers(targets, signal) : ofOwners(targets, signal);
}

/** What the garbage collector takes, asked once for each namespace. */
async function ofOwners(targets: BulkTargets, signal: AbortSignal): Promise<ManyConsequences> {
  const asked = targets.slice(0, limits.bulk.examined);
  const objects: Dependent[] = [];
  for (const [namespace, members] of byNamespace(asked)) {
    const query = new URLSearchParams(members.map(({ uid }) => ['uid', uid]));
    if (namespace !== '') query.set('namespace', namespace);
    const { dependents } = await request<{ dependents: readonly Dependent[] }>(`/api/resources/dependents?${query}`, {
      signal,
    });
    objects.push(...dependents);
  }
  const own = new Set(targets.map(({ uid }) => uid));
  const others = objects.filter(({ uid }) => !own.has(uid));
  const sentence =
    others.length === 0
      ? 'No other object is deleted.'
      : `This also deletes ${counted(others.length, 'object')} that they own.`;
  return { sentence, isGrave: false, objects: others, notes: notAsked(targets.length, asked.length) };
}

/** What is in namespaces, and the objects of the kinds of definitions. */
async function ofContainers(targets: BulkTargets, signal: AbortSignal): Promise<ManyConsequences> {
  const asked = targets.slice(0, ONE_BY_ONE);
  const found: KnownConsequences[] = [];
  for (const target of asked) found.push(await readConsequences(target, await readStoredObject(target), signal));
  return {
    sentence: 'Everything in them is deleted too.',
    isGrave: true,
    objects: found.flatMap(({ objects }) => objects),
    notes: [
      ...asked.map(({ name }, at) => `${name}: ${found[at]?.sentence ?? ''}`),
      ...notAsked(targets.length, asked.length),
    ],
  };
}

/** What each Instance's own deletion does: its cleanup plan, what is deleted, and what stays. */
async function ofInstances(targets: BulkTargets, signal: AbortSignal): Promise<ManyConsequences> {
  const asked = targets.slice(0, ONE_BY_ONE);
  const previews = new Map<string, DeletionPreview>();
  await runBulk(asked, {
    atOnce: limits.bulk.atOnce,
    signal,
    onOutcome: () => undefined,
    act: async (target: BulkTarget) => {
      const path = instanceApiPath(target.namespace, target.name, 'deletion');
      previews.set(target.uid, await request<DeletionPreview>(path, { signal }));
      return undefined;
    },
  });
  const goes = [...previews.values()].flatMap((preview) => preview.goes);
  const notes = asked.map((target) => `${target.name}: ${instanceNote(previews.get(target.uid))}`);
  const isGrave = [...previews.values()].some(({ volumes }) => volumes.some((volume) => volume.goes));
  return {
    sentence:
      goes.length === 0
        ? 'Their plans delete no other object.'
        : `This also deletes ${counted(goes.length, 'object')} that their plans applied.`,
    isGrave,
    objects: goes.map(({ kind, name }) => ({ kind, name, namespace: '' })),
    notes: [...notes, ...notAsked(targets.length, asked.length)],
  };
}

function instanceNote(preview: DeletionPreview | undefined): string {
  if (preview === undefined) return 'what goes with it could not be read.';
  const { cleanup, running, stays, volumes, dependents } = preview;
  const lost = volumes.filter(({ goes }) => goes).length;
  const kept = volumes.length - lost + stays.length;
  const parts = [
    cleanup === undefined ? 'no cleanup plan runs' : 'plan cleanup runs first',
    ...(running === undefined ? [] : [`plan ${running} is cancelled`]),
    ...(lost === 0 ? [] : [`${counted(lost, 'volume')} with its data ${lost === 1 ? 'is' : 'are'} deleted`]),
    ...(kept === 0 ? [] : [`${counted(kept, 'object')} ${kept === 1 ? 'stays' : 'stay'}`]),
    ...(dependents.length === 0
      ? []
      : [`${counted(dependents.length, 'Instance')} ${dependents.length === 1 ? 'uses' : 'use'} it`]),
  ];
  return `${parts.join(', ')}.`;
}

function byNamespace(targets: BulkTargets): ReadonlyMap<string, readonly BulkTarget[]> {
  const groups = new Map<string, BulkTarget[]>();
  for (const target of targets) groups.set(target.namespace, [...(groups.get(target.namespace) ?? []), target]);
  return groups;
}

function notAsked(total: number, asked: number): string[] {
  return total <= asked ? [] : [`This is about the first ${asked} of ${total}; the others may take more with them.`];
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
