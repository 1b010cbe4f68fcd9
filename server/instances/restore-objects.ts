import type { Clock } from '@/lib/clock/clock';
import { BravoError, messageOf, TerminalError } from '@/lib/errors/errors';
import { namespaceOf } from '@/lib/kube/object';
import type { DriftedObject, ObjectsResult, ReportedObject } from '@/lib/kudo/drift/report';
import type { Fingerprinter } from '@/lib/kudo/fingerprint';
import { appliedManifest } from '@/lib/kudo/inventory/applied-manifest';
import { entriesOf, inventoryKey } from '@/lib/kudo/inventory/inventory';
import { KnownManifests } from '@/server/inventory/known-manifests';
import type { Api } from '@/server/kube/api';
import type { Log } from '@/server/log/log';
import { putBack } from '@/server/self-heal/put-back';
import { renderInThread } from '@/server/tasks/render-texts';
import { type DriftView, driftView } from './drift-report';
import type { InstanceKey } from './read-instance';
import { scaledObjects } from './scaled-objects';

/** The key of the controller is not the console's: of Secrets the kept manifests are known, and nothing else. */
const NO_KEY: Fingerprinter = { of: () => '', isComparable: () => false };

export interface RestoreDeps {
  readonly api: Api;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Puts drifted objects back as the last plan left them, with the authority of the person who asks; one after the other, in
 * the order in which plans applied them. `keys` names them; all of them when absent.
 * @throws TerminalError `NotFound` for a key that is not drifted (any more)
 */
export async function restoreObjects(
  deps: RestoreDeps,
  key: InstanceKey,
  keys: readonly string[] | undefined,
): Promise<ObjectsResult> {
  const view = await driftView(deps.api, key);
  const chosen = view.report.drifted.filter((object) => keys === undefined || keys.includes(object.key));
  const unknown = keys?.find((wanted) => !chosen.some((object) => object.key === wanted));
  if (unknown !== undefined && chosen.length === 0) {
    throw new TerminalError(`${unknown} is as the last plan left it; there is nothing to restore.`, 'NotFound');
  }
  const done: ReportedObject[] = [];
  const failed: (ReportedObject & { message: string })[] = [];
  for (const object of chosen) {
    const { key: id, apiVersion, kind, name } = object;
    const shown = { key: id, apiVersion, kind, name };
    try {
      await restore(deps, view, object);
      done.push(shown);
    } catch (error) {
      if (!(error instanceof BravoError)) throw error;
      failed.push({ ...shown, message: messageOf(error) });
    }
  }
  return { done, failed };
}

async function restore(deps: RestoreDeps, view: DriftView, object: DriftedObject): Promise<void> {
  const { instance, kinds } = view;
  const { apiVersion, kind, name } = object;
  const target = await kinds.targetOf({ apiVersion, kind, metadata: { name, namespace: namespaceOf(instance) } });
  if (target === undefined) throw new TerminalError(`The cluster does not know the kind ${kind} any more.`, 'NotFound');
  const live = await deps.api.get(target);
  const { operatorVersion, inventory } = view;
  const found = entriesOf(inventory ?? { runs: [] }).find(({ entry }) => inventoryKey(entry) === object.key);
  const known = new KnownManifests(
    { ...deps, kinds, renderTexts: renderInThread, fingerprints: NO_KEY },
    instance,
    operatorVersion,
  );
  const recorded = live === undefined ? undefined : appliedManifest(live);
  const manifest = found === undefined ? recorded : await known.find(found.entry, found.run, live);
  if (manifest === undefined) {
    const plan = object.plan === '' ? 'the plan' : `plan ${object.plan}`;
    throw new TerminalError(
      `What ${plan} left is not known any more: its templates or parameters have changed since. Start ${plan} again to bring it back.`,
      'Unknown',
    );
  }
  const scaled = await scaledObjects(deps.api, namespaceOf(instance));
  await putBack(target, manifest, live, { api: deps.api, instance, keepsReplicas: scaled.has(`${kind}/${name}`) });
}
