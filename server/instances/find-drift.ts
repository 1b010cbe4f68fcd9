import { BravoError } from '@/lib/errors/errors';
import { jsonEqual } from '@/lib/json/json';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { isOwnedBy } from '@/lib/kube/owners';
import { type Difference, driftOf, undoneBy, withoutReplicas } from '@/lib/kudo/drift/drift';
import { driftWords, type SecretTexts } from '@/lib/kudo/drift/drift-words';
import type { DriftedObject } from '@/lib/kudo/drift/report';
import { secretTextsOf } from '@/lib/kudo/drift/secret-texts';
import { appliedManifest } from '@/lib/kudo/inventory/applied-manifest';
import {
  entriesOf,
  type Inventory,
  type InventoryEntry,
  inventoryKey,
  keyOfObject,
} from '@/lib/kudo/inventory/inventory';
import { isSecret } from '@/lib/kudo/inventory/secret-data';
import { isAsApplied } from '@/lib/kudo/inventory/shared-object';
import { isStandingPlan, isSteadyObject } from '@/lib/kudo/inventory/steady-state';
import { PHASE_ANNOTATION, PLAN_ANNOTATION, STEP_ANNOTATION } from '@/lib/kudo/names';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { loadKeptObjects } from '@/server/inventory/kept-objects';
import type { Api } from '@/server/kube/api';
import type { KindIndex } from '@/server/kube/kinds';
import { silentLog } from '@/server/log/log';
import { putBack } from '@/server/self-heal/put-back';
import { kubectlName, type LabelledObjects } from './list-owned';
import { scaledObjects } from './scaled-objects';

interface DriftInput {
  readonly instance: Instance;
  readonly operatorVersion: OperatorVersion | undefined;
  readonly inventory: Inventory | undefined;
  readonly kinds: KindIndex;
  readonly listed: LabelledObjects;
  /** {@link scaledObjects} of the namespace, if they were read already. */
  readonly scaled?: ReadonlySet<string>;
}

/** After this many drifted objects no further object is checked by a dry run. */
const MOST_ASKED = 20;

/**
 * The objects of the inventory that were deleted or changed. Without an inventory (the Instance was made by KUDO) live objects with
 * KUDO's annotation of what was applied are compared. After a plan that did not finish, no object counts as deleted. Left out are
 * changes that restoring would not undo (a dry run changes nothing), and fields that the API server does not store.
 */
export async function findDrift(api: Api, input: DriftInput): Promise<DriftedObject[]> {
  const { instance, operatorVersion, inventory, listed } = input;
  const liveByKey = new Map(listed.found.map(({ object }) => [keyOfObject(object), object]));
  const expected =
    inventory === undefined
      ? adopted(input)
      : entriesOf(inventory).map(({ entry, run }) => ({ entry, plan: run.plan }));
  const isSettled = inventory !== undefined && inventory.unsettled === undefined;
  const secrets = secretTextsOf(instance, operatorVersion);
  const scaled = input.scaled ?? (await scaledObjects(api, namespaceOf(instance)));
  const kept = await keptSecrets(api, input);
  const drifted: DriftedObject[] = [];
  for (const { entry, plan } of expected) {
    const shown = { key: inventoryKey(entry), apiVersion: entry.apiVersion, kind: entry.kind, name: entry.name, plan };
    const live = await liveOf(api, entry, liveByKey, input);
    if (live === 'unknown' || (live !== undefined && (live.metadata.deletionTimestamp ?? '') !== '')) continue;
    if (live === undefined) {
      if (isSettled) drifted.push({ ...shown, state: 'missing', words: '' });
      continue;
    }
    if (drifted.length >= MOST_ASKED) continue;
    const words = await changeWords(api, live, {
      input,
      entry,
      kept: isSecret(entry) ? kept.get(entry.digest) : undefined,
      isScaled: scaled.has(`${entry.kind}/${entry.name}`),
      secrets,
    });
    if (words !== undefined) drifted.push({ ...shown, state: 'changed', words });
  }
  return drifted;
}

/** Inventory entries from KUDO's annotations on live objects: of plans whose objects are kept, and kinds that stay. */
function adopted({ listed, instance, operatorVersion }: DriftInput): { entry: InventoryEntry; plan: string }[] {
  if (operatorVersion === undefined) return [];
  return listed.found.flatMap(({ object }) => {
    const annotations = object.metadata.annotations ?? {};
    const plan = annotations[PLAN_ANNOTATION] ?? '';
    const manifest = appliedManifest(object);
    const counts = isOwnedBy(object, instance.metadata.uid ?? '') && isSteadyObject(object);
    if (manifest === undefined || !counts || !isStandingPlan(operatorVersion, plan)) return [];
    const { apiVersion, kind } = manifest;
    const [phase, step] = [annotations[PHASE_ANNOTATION] ?? '', annotations[STEP_ANNOTATION] ?? ''];
    return [
      {
        plan,
        entry: { apiVersion, kind, name: nameOf(object), phase, step, task: '', digest: '' },
      },
    ];
  });
}

/**
 * The live object in the API version that was applied. An object that the list by label does not have is read by name: its label may
 * have been removed, and child Instances have none.
 */
async function liveOf(
  api: Api,
  entry: InventoryEntry,
  liveByKey: ReadonlyMap<string, KubeObject>,
  { kinds, listed, instance }: DriftInput,
): Promise<KubeObject | undefined | 'unknown'> {
  const { apiVersion, kind, name } = entry;
  const known = liveByKey.get(inventoryKey(entry));
  if (known?.apiVersion === apiVersion) return known;
  try {
    const target = await kinds.targetOf({ apiVersion, kind, metadata: { name, namespace: namespaceOf(instance) } });
    if (target === undefined || listed.unreadable.includes(kubectlName(target))) return 'unknown';
    return await api.get(target);
  } catch (error) {
    if (error instanceof BravoError) return 'unknown';
    throw error;
  }
}

/** The manifests of Secrets that the last plans left, by digest; none for a person who may not read the Secret that keeps them. */
async function keptSecrets(api: Api, { instance, inventory }: DriftInput): Promise<ReadonlyMap<string, KubeObject>> {
  const isNeeded = inventory?.kept !== undefined && entriesOf(inventory).some(({ entry }) => isSecret(entry));
  if (!isNeeded) return new Map();
  try {
    return await loadKeptObjects(api, instance, silentLog);
  } catch (error) {
    if (error instanceof BravoError) return new Map();
    throw error;
  }
}

interface ChangeInput {
  readonly input: DriftInput;
  readonly entry: InventoryEntry;
  /** The manifest of a Secret, whose record on the object shows no values. */
  readonly kept: KubeObject | undefined;
  readonly isScaled: boolean;
  readonly secrets: SecretTexts;
}

async function changeWords(api: Api, live: KubeObject, change: ChangeInput): Promise<string | undefined> {
  if (change.entry.kind === 'Instance' && change.entry.apiVersion.startsWith('kudo.dev/')) return undefined;
  // A cluster-scoped object with other annotations belongs to another Instance now.
  if (live.metadata.namespace === undefined && !isAsApplied(change.entry, live)) return undefined;
  const manifest = change.kept ?? appliedManifest(live);
  if (manifest === undefined) return 'its annotation of what was applied was removed';
  const all = driftOf(manifest, live);
  const differences = change.isScaled ? withoutReplicas(all) : all;
  if (differences.length === 0) return undefined;
  const after = await afterPutBack(api, manifest, live, change);
  const undone = after === undefined ? differences : undoneDry(differences, manifest, live, after);
  return undone.length === 0 ? undefined : driftWords(change.entry, undone, change.secrets);
}

/** A dry run returns no new resourceVersion, so the objects are compared. */
function undoneDry(
  differences: readonly Difference[],
  manifest: KubeObject,
  live: KubeObject,
  after: KubeObject,
): Difference[] {
  return jsonEqual(plain(after), plain(live)) ? [] : undoneBy(differences, manifest, after);
}

/** The object after a restore, by a dry run; undefined when the API server refuses it. */
async function afterPutBack(
  api: Api,
  manifest: KubeObject,
  live: KubeObject,
  change: ChangeInput,
): Promise<KubeObject | undefined> {
  const { instance, kinds } = change.input;
  let after: KubeObject | undefined;
  const dry: Pick<Api, 'create' | 'patch'> = {
    create: (target, object, options) => api.create(target, object, { ...options, dryRun: true }),
    patch: async (target, type, patch, options) => {
      after = await api.patch(target, type, patch, { ...options, dryRun: true });
      return after;
    },
  };
  try {
    const target = await kinds.targetOf(manifest);
    if (target === undefined) return undefined;
    await putBack(target, manifest, live, { api: dry, instance, keepsReplicas: change.isScaled });
    return after;
  } catch (error) {
    if (error instanceof BravoError) return undefined;
    throw error;
  }
}

function plain(object: KubeObject): unknown {
  const { managedFields: _, resourceVersion: __, generation: ___, ...metadata } = object.metadata;
  return { ...object, apiVersion: '', kind: '', metadata };
}
