import { BravoError, messageOf } from '@/lib/errors/errors';
import type { GroupVersionResource, KubeObject } from '@/lib/kube/object';
import { isOwnedBy } from '@/lib/kube/owners';
import { INSTANCES } from '@/lib/kudo/crds';
import type { DriftReport, LeftoverObject } from '@/lib/kudo/drift/report';
import { appliedManifest } from '@/lib/kudo/inventory/applied-manifest';
import { entriesOf, type Inventory, inventoryOf } from '@/lib/kudo/inventory/inventory';
import { leftoversAmong } from '@/lib/kudo/inventory/leftovers';
import { renderedNames } from '@/lib/kudo/inventory/rendered-names';
import { latestPlan } from '@/lib/kudo/plan/latest-plan';
import { isDeleting, scheduledPlan } from '@/lib/kudo/plan/scheduled';
import { isSelfHealing } from '@/lib/kudo/self-heal/self-heal';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import type { Api } from '@/server/kube/api';
import { codeOf } from '@/server/kube/errors';
import { KindIndex } from '@/server/kube/kinds';
import { describeLeftover } from './describe-leftover';
import { findDrift } from './find-drift';
import { findSharedLeftovers } from './find-shared-leftovers';
import { type LabelledObjects, listOwned } from './list-owned';
import { type InstanceKey, readInstance } from './read-instance';

/** What {@link driftView} looked at, for whoever acts upon it. */
export interface DriftView {
  readonly instance: Instance;
  readonly operatorVersion: OperatorVersion | undefined;
  readonly inventory: Inventory | undefined;
  readonly kinds: KindIndex;
  readonly report: DriftReport;
}

/**
 * What of an Instance is not as its last plans left it, and what they left over; computed from the live objects and the
 * recorded inventory with the person's own authority, so that it is true also when no controller ran.
 */
export async function driftView(api: Api, key: InstanceKey, signal?: AbortSignal): Promise<DriftView> {
  const { instance, operatorVersion } = await readInstance(api, key, signal);
  const inventory = inventoryOf(instance);
  const kinds = new KindIndex(api);
  const selfHeal = isSelfHealing(instance, operatorVersion);
  const view = { instance, operatorVersion, inventory, kinds };
  const why = whyNothing(instance);
  if (why !== undefined) return { ...view, report: nothingFor(selfHeal, why) };
  const listed = await listOwned(api, key, signal);
  const notes: string[] = [];
  const drifted = await findDrift(api, { ...view, listed });
  if (inventory === undefined) {
    notes.push('No plan has completed under this controller yet: objects that were deleted before are unknown.');
  } else if (inventory.unsettled !== undefined) {
    notes.push(`Plan ${inventory.unsettled} did not complete: missing objects are unknown until a plan is complete.`);
  }
  const leftovers = await findLeftovers(api, key, { ...view, listed, notes });
  const resources = await resourcesOf(inventory, kinds);
  return { ...view, report: { selfHeal, notes, drifted, leftovers, resources, unreadable: listed.unreadable } };
}

/**
 * The report alone. An Instance that is gone has an empty one: a page asks again at each change, also when the change was that
 * somebody deleted it. So has one whose OperatorVersion the person may not read.
 */
export async function driftReport(api: Api, key: InstanceKey, signal?: AbortSignal): Promise<DriftReport> {
  try {
    return (await driftView(api, key, signal)).report;
  } catch (error) {
    if (error instanceof BravoError && error.reason === 'NotFound')
      return nothingFor(false, 'The Instance was deleted.');
    const isRefused = codeOf(error) === 403 && (await api.get({ ...INSTANCES, ...key })) !== undefined;
    if (isRefused) return nothingFor(false, `Drift is unknown: ${messageOf(error)}`);
    throw error;
  }
}

function nothingFor(selfHeal: boolean, why: string): DriftReport {
  return { selfHeal, notes: [why], drifted: [], leftovers: [], resources: [], unreadable: [] };
}

/** Each kind of the inventory once. */
async function resourcesOf(inventory: Inventory | undefined, kinds: KindIndex): Promise<GroupVersionResource[]> {
  const byKey = new Map<string, GroupVersionResource>();
  for (const { entry } of entriesOf(inventory ?? { runs: [] })) {
    const found = await kinds.resolve(entry.apiVersion, entry.kind);
    if (found === undefined) continue;
    const { group, version, resource } = found;
    byKey.set(`${group}/${resource}`, { group, version, resource });
  }
  return [...byKey.values()];
}

/** Why nothing can be said of an Instance now; undefined when it is at rest after a plan. */
export function whyNothing(instance: Instance): string | undefined {
  if (isDeleting(instance)) return 'The Instance is being deleted.';
  const running = scheduledPlan(instance);
  if (running !== undefined) return `Plan ${running.plan} runs; drift is checked again when it has ended.`;
  return latestPlan(instance) === undefined ? 'No plan has run yet.' : undefined;
}

interface LeftoverInput extends Omit<DriftView, 'report'> {
  readonly listed: LabelledObjects;
  readonly notes: string[];
}

/** Only after a plan that is complete: an upgrade under way, or one that failed, may still need what is old. */
async function findLeftovers(api: Api, key: InstanceKey, input: LeftoverInput): Promise<LeftoverObject[]> {
  const { instance, operatorVersion, inventory, listed, notes, kinds } = input;
  const isComplete = latestPlan(instance)?.status.status === 'COMPLETE' && inventory?.unsettled === undefined;
  if (operatorVersion === undefined || !isComplete) return [];
  // Discovery is asked once here, so that scopes can be told while rendering.
  await kinds.resolve('v1', 'ConfigMap');
  const scopeOf = (apiVersion: string, kind: string) =>
    kinds.known(apiVersion, kind)?.namespaced === false ? 'cluster' : 'namespaced';
  const names = renderedNames(operatorVersion, instance, scopeOf, kinds.serves);
  if (names.problems.length > 0) {
    notes.push(`Leftovers are unknown: ${names.problems[0]}`);
    return [];
  }
  const children = await childrenOf(api, key, instance);
  const ours = [...listed.found.map(({ object }) => object), ...children].filter(
    (object) => isOwnedBy(object, instance.metadata.uid ?? '') && isApplied(object),
  );
  const rest = leftoversAmong(ours, names, inventory);
  const shared = await findSharedLeftovers(api, { instance, inventory, names, kinds, notes });
  const found = await Promise.all([...rest, ...shared].map((object) => describeLeftover(object, kinds)));
  return found.filter((object) => object !== undefined).sort((a, b) => a.key.localeCompare(b.key));
}

/** Made by a task: it has a record, or is a child Instance; not what controllers or we made beside it. */
function isApplied(object: KubeObject): boolean {
  return (
    appliedManifest(object) !== undefined || (object.kind === 'Instance' && object.apiVersion.startsWith('kudo.dev/'))
  );
}

/** Children carry no label of their parent. */
async function childrenOf(api: Api, { namespace }: InstanceKey, parent: Instance): Promise<KubeObject[]> {
  try {
    const { items } = await api.list({ ...INSTANCES, namespace });
    return items
      .filter((item) => isOwnedBy(item, parent.metadata.uid ?? ''))
      .map((item) => ({ ...item, apiVersion: parent.apiVersion, kind: 'Instance' }));
  } catch (error) {
    if (error instanceof BravoError) return [];
    throw error;
  }
}
