import { BravoError, messageOf } from '@/lib/errors/errors';
import type { GroupVersionResource, KubeObject } from '@/lib/kube/object';
import { isOwnedBy } from '@/lib/kube/owners';
import { INSTANCES } from '@/lib/kudo/crds/crds';
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
import { readSources } from '@/server/parameters/read-sources';
import { unreadSource, withReadValues } from '@/server/parameters/with-read-values';
import { describeLeftover } from './describe-leftover';
import { findDrift } from './find-drift';
import { findSharedLeftovers } from './find-shared-leftovers';
import { type LabelledObjects, listOwned } from './list-owned';
import { type InstanceKey, readInstance } from './read-instance';

/** The report with the objects that it was made from, for callers that restore or remove objects. */
export interface DriftView {
  readonly instance: Instance;
  readonly operatorVersion: OperatorVersion | undefined;
  readonly inventory: Inventory | undefined;
  readonly kinds: KindIndex;
  readonly report: DriftReport;
}

/**
 * The drift and the leftovers of an Instance, computed from the live objects and the recorded inventory with the permissions of the
 * person. It does not need a running controller.
 */
export async function readDriftView(api: Api, key: InstanceKey, signal?: AbortSignal): Promise<DriftView> {
  const { instance, operatorVersion } = await readInstance(api, key, signal);
  const inventory = inventoryOf(instance);
  const kinds = new KindIndex(api);
  const selfHeal = isSelfHealing(instance, operatorVersion);
  const view = { instance, operatorVersion, inventory, kinds };
  const why = whyNoReport(instance);
  if (why !== undefined) return { ...view, report: emptyReport(selfHeal, why) };
  const listed = await listOwned(api, key, signal);
  const notes: string[] = [];
  const drifted = await findDrift(api, { ...view, listed });
  if (inventory === undefined) {
    notes.push('No plan has ended under this controller yet. Objects that were deleted before are not listed.');
  } else if (inventory.unsettled !== undefined) {
    notes.push(
      `Plan ${inventory.unsettled} did not finish. Deleted objects are listed after the next plan is complete.`,
    );
  }
  const leftovers = await findLeftovers(api, key, { ...view, listed, notes });
  const resources = await resourcesOf(inventory, kinds);
  return { ...view, report: { selfHeal, notes, drifted, leftovers, resources, unreadable: listed.unreadable } };
}

/**
 * The report alone. It is empty for an Instance that was deleted, because a page asks again after each change, and for one whose
 * OperatorVersion the person may not read.
 */
export async function driftReport(api: Api, key: InstanceKey, signal?: AbortSignal): Promise<DriftReport> {
  try {
    return (await readDriftView(api, key, signal)).report;
  } catch (error) {
    if (error instanceof BravoError && error.reason === 'NotFound')
      return emptyReport(false, 'The instance was deleted.');
    const isRefused = codeOf(error) === 403 && (await api.get({ ...INSTANCES, ...key })) !== undefined;
    if (isRefused) return emptyReport(false, `Drift cannot be checked: ${messageOf(error)}`);
    throw error;
  }
}

function emptyReport(selfHeal: boolean, why: string): DriftReport {
  return { selfHeal, notes: [why], drifted: [], leftovers: [], resources: [], unreadable: [] };
}

/** Each kind of the inventory, once. */
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

/** Why there is no report for an Instance now; undefined when it runs no plan and has run one. */
export function whyNoReport(instance: Instance): string | undefined {
  if (isDeleting(instance)) return 'The instance is being deleted.';
  const running = scheduledPlan(instance);
  if (running !== undefined) return `Plan ${running.plan} is running. Drift is checked when it ends.`;
  return latestPlan(instance) === undefined ? 'No plan has run yet.' : undefined;
}

interface LeftoverInput extends Omit<DriftView, 'report'> {
  readonly listed: LabelledObjects;
  readonly notes: string[];
}

/** Only after a complete plan: an upgrade that runs or failed may still need the old objects. */
async function findLeftovers(api: Api, key: InstanceKey, input: LeftoverInput): Promise<LeftoverObject[]> {
  const { instance, operatorVersion, inventory, listed, notes, kinds } = input;
  const isComplete = latestPlan(instance)?.status.status === 'COMPLETE' && inventory?.unsettled === undefined;
  if (operatorVersion === undefined || !isComplete) return [];
  // This call loads the discovery, which `kinds.known` needs below.
  await kinds.resolve('v1', 'ConfigMap');
  const scopeOf = (apiVersion: string, kind: string) =>
    kinds.known(apiVersion, kind)?.namespaced === false ? 'cluster' : 'namespaced';
  const reads = await readSources(api, [instance]);
  const unread = unreadSource(instance, reads);
  if (unread !== undefined) {
    notes.push(`Leftover objects cannot be listed: ${unread}`);
    return [];
  }
  const names = renderedNames(operatorVersion, withReadValues(instance, reads), scopeOf, kinds.serves);
  if (names.problems.length > 0) {
    notes.push(`Leftover objects cannot be listed: ${names.problems[0]}`);
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

/** True for an object that a task applied: it has the annotation of what was applied, or is a child Instance. */
function isApplied(object: KubeObject): boolean {
  return (
    appliedManifest(object) !== undefined || (object.kind === 'Instance' && object.apiVersion.startsWith('kudo.dev/'))
  );
}

/** Child Instances, which have no label of their parent. */
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
