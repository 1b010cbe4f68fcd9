import { sleep } from '@/lib/clock/clock';
import { TerminalError, TransientError } from '@/lib/errors/errors';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { installedCrds } from '@/lib/kudo/installation/manifests';
import type { InstallationOptions } from '@/lib/kudo/installation/options';
import { removableObjects } from '@/lib/kudo/installation/removal';
import { codeOf } from '@/server/kube/errors';
import { unregisterOurs } from '@/server/webhook/registration';
import type { ClusterSession } from '../support/session';
import { deleteAndWait } from './apply-installed';
import { targetOf, titleOf } from './object-target';

export interface RemoveOptions {
  readonly options: InstallationOptions;
  readonly dryRun: boolean;
  readonly removeCrds: boolean;
  /** `namespace/name` of the Instances that are deleted first, with their cleanup plans. */
  readonly instances: readonly string[];
  printLine(line: string): void;
}

const CLEANED_UP_WITHIN_MS = 300_000;
const POLL_INTERVAL_MS = 500;

/**
 * Removes what `init` applied, in reverse, and the registration of the webhook. Namespaces, keys, Instances and what their plans made stay;
 * CRDs stay too unless they are asked for. What does not exist is passed over, so that a removal that was interrupted can be repeated.
 *
 * @throws TerminalError when Instances exist that `--remove-crds` would delete without their cleanup plans
 */
export async function removeBravo(session: ClusterSession, wish: RemoveOptions): Promise<void> {
  const { options, dryRun, removeCrds, printLine } = wish;
  if (removeCrds) await deleteInstances(session, wish);
  const objects = removableObjects(options);
  const removed = removeCrds ? [...objects, ...installedCrds()] : objects;
  // Before its controller goes: without one, the API server would ask nobody about each edit.
  if (!dryRun && options.namespaces.length === 0 && (await unregisterOurs(session.api))) {
    printLine('Removed the registration of the webhook.');
  }
  for (const object of removed) await removeObject(session, object, wish);
  printLine(keptSentence(wish));
}

async function removeObject(session: ClusterSession, object: KubeObject, wish: RemoveOptions): Promise<void> {
  const target = targetOf(object);
  if (wish.dryRun) {
    if ((await session.api.get(target)) !== undefined) wish.printLine(`Would remove ${titleOf(object)}`);
    return;
  }
  if (await deleteAndWait(session, target)) wish.printLine(`Removed ${titleOf(object)}`);
}

function keptSentence({ options, removeCrds }: RemoveOptions): string {
  const { namespace } = options;
  const kept = removeCrds ? `Namespace ${namespace}` : `The CRDs with all Instances, and namespace ${namespace}`;
  return `${kept} with the keys of the controller, were kept. To delete the namespace with everything in it: kubectl delete namespace ${namespace}`;
}

/** Deletes the Instances that were named, while a controller can still run their cleanup plans. */
async function deleteInstances({ api, clock }: ClusterSession, wish: RemoveOptions): Promise<void> {
  const named = new Set(wish.instances);
  const live = (await listInstances(api)).map((object) => `${namespaceOf(object)}/${nameOf(object)}`);
  const unnamed = live.filter((key) => !named.has(key));
  if (unnamed.length > 0) throw existing(unnamed);
  if (wish.dryRun) {
    for (const key of live) wish.printLine(`Would delete Instance ${key}`);
    return;
  }
  for (const key of live) {
    const [namespace, name] = key.split('/');
    await api.delete({ ...INSTANCES, namespace, name });
    wish.printLine(`Deleted Instance ${key}; its cleanup plan runs`);
  }
  const end = clock.monotonic() + CLEANED_UP_WITHIN_MS;
  while ((await listInstances(api)).length > 0) {
    if (clock.monotonic() > end) {
      throw new TransientError(
        `The Instances were not deleted within 300 s: a cleanup plan fails, or no controller runs. Nothing else was removed. Look at bravo plan status, then repeat bravo init --remove --remove-crds.`,
        'Timeout',
      );
    }
    await sleep(clock, POLL_INTERVAL_MS);
  }
}

async function listInstances(api: ClusterSession['api']): Promise<readonly KubeObject[]> {
  try {
    return (await api.list({ ...INSTANCES })).items;
  } catch (error) {
    if (codeOf(error) === 404) return [];
    throw error;
  }
}

const NAMED_AT_MOST = 5;

function existing(keys: readonly string[]): TerminalError {
  const more = keys.length > NAMED_AT_MOST ? ` and ${keys.length - NAMED_AT_MOST} more` : '';
  return new TerminalError(
    `The CRDs were not removed, because ${keys.length} Instances exist: ${keys.slice(0, NAMED_AT_MOST).join(', ')}${more}. Delete them first with bravo uninstall, name each with --delete-instance NAMESPACE/NAME, or leave out --remove-crds.`,
    'InstancesExist',
  );
}
