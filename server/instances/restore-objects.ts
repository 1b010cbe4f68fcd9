import type { Clock } from '@/lib/clock/clock';
import { BravoError, messageOf, TerminalError } from '@/lib/errors/errors';
import { namespaceOf } from '@/lib/kube/object';
import type { DriftedObject, ObjectsResult, ReportedObject } from '@/lib/kudo/drift/report';
import { appliedManifest } from '@/lib/kudo/inventory/applied-manifest';
import { entriesOf, inventoryKey } from '@/lib/kudo/inventory/inventory';
import type { Fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import { KnownManifests } from '@/server/inventory/known-manifests';
import type { Api } from '@/server/kube/api';
import type { Log } from '@/server/log/log';
import { putBack } from '@/server/self-heal/put-back';
import { renderInThread } from '@/server/tasks/render-texts';
import { type DriftView, readDriftView } from './drift-report';
import type { InstanceKey } from './read-instance';
import { scaledObjects } from './scaled-objects';

/** The console does not have the controller's key: of Secrets it knows the kept manifests only. */
const NO_KEY: Fingerprinter = { of: () => '', signatureOf: () => '', isComparable: () => false };

export interface RestoreDeps {
  readonly api: Api;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Restores drifted objects to what the last plan applied, with the permissions of the person; one after the other, in the order in
 * which plans applied them. `keys` selects some of them; all when absent.
 * @throws TerminalError `NotFound` for a key without drift
 */
export async function restoreObjects(
  deps: RestoreDeps,
  key: InstanceKey,
  keys: readonly string[] | undefined,
): Promise<ObjectsResult> {
  const view = await readDriftView(deps.api, key);
  const chosen = view.report.drifted.filter((object) => keys === undefined || keys.includes(object.key));
  const unknown = keys?.find((wanted) => !chosen.some((object) => object.key === wanted));
  if (unknown !== undefined && chosen.length === 0) {
    throw new TerminalError(`${unknown} does not differ from what the last plan applied.`, 'NotFound');
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
  if (target === undefined) throw new TerminalError(`The cluster no longer serves the kind ${kind}.`, 'NotFound');
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
      `${kind} ${name} cannot be restored: the templates or parameters of ${plan} have changed since it was applied. Run ${plan} again.`,
      'Unknown',
    );
  }
  const scaled = await scaledObjects(deps.api, namespaceOf(instance));
  await putBack(target, manifest, live, { api: deps.api, instance, keepsReplicas: scaled.has(`${kind}/${name}`) });
}
