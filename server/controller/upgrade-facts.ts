import { nameOf, namespaceOf } from '@/lib/kube/object';
import { operatorVersionKey } from '@/lib/kudo/names';
import { hasUnseenChange, withSources } from '@/lib/kudo/plan/acted-upon';
import { latestPlan } from '@/lib/kudo/plan/latest-plan';
import { isDeleting } from '@/lib/kudo/plan/scheduled';
import { failedStepOf } from '@/lib/kudo/runs/failed-step';
import { whyBusy } from '@/lib/kudo/schedules/start-check';
import type { Instance } from '@/lib/kudo/types';
import type { Facts } from '@/lib/kudo/upgrades/next-upgrade-status';
import { type OperatorUpgrade, PLAN_STARTED } from '@/lib/kudo/upgrades/operator-upgrade';
import { type InstanceFacts, isMoving, type LastPlan } from '@/lib/kudo/upgrades/upgrade-entry';
import { readSources } from '@/server/parameters/read-sources';
import type { ReconcilerDeps } from './reconciler-deps';
import { waveRunOf } from './wave-run';

/** What is known of the Instances of an upgrade, by name; those that do not exist are left out. */
export async function upgradeFacts(deps: ReconcilerDeps, upgrade: OperatorUpgrade): Promise<Facts> {
  const facts = new Map<string, InstanceFacts>();
  const moving = new Set((upgrade.status?.instances ?? []).filter(isMoving).map(({ name }) => name));
  for (const name of upgrade.spec?.instances ?? []) {
    const instance = deps.store.get(`${namespaceOf(upgrade)}/${name}`);
    if (instance === undefined) continue;
    const known = await factsOf(deps, instance, moving.has(name));
    facts.set(name, upgrade.spec?.plan === undefined ? known : factsOfRun(upgrade, instance, known));
  }
  return facts;
}

/** What is known of an Instance on which an upgrade runs a plan: how far the plan is, which counts here instead of the version. */
function factsOfRun(upgrade: OperatorUpgrade, instance: Instance, known: InstanceFacts): InstanceFacts {
  const run = waveRunOf(upgrade, instance);
  const before = upgrade.status?.instances?.find(({ name }) => name === nameOf(instance))?.from;
  if (run === undefined) return { ...known, version: before ?? known.version, last: undefined };
  const isOver = run.status === 'COMPLETE' || run.status === 'FATAL_ERROR';
  const busy = isOver ? undefined : `Instance ${nameOf(instance)} runs plan ${run.plan}.`;
  return { ...known, version: PLAN_STARTED, busy, last: run };
}

async function factsOf(deps: ReconcilerDeps, instance: Instance, isWatched: boolean): Promise<InstanceFacts> {
  const busy = whyBusy(instance) ?? (isWatched ? await unseenChange(deps, instance) : undefined);
  return {
    version: operatorVersionKey(instance).name,
    isDeleting: isDeleting(instance),
    busy,
    last: lastPlan(instance),
  };
}

async function unseenChange(deps: ReconcilerDeps, instance: Instance): Promise<string | undefined> {
  const reads = await readSources(deps.api, [instance]);
  const isUnseen = hasUnseenChange(withSources(instance, reads, deps.fingerprints), deps.fingerprints);
  return isUnseen ? `Instance ${instance.metadata.name ?? ''} has a change whose plan has not started yet.` : undefined;
}

function lastPlan(instance: Instance): LastPlan | undefined {
  const latest = latestPlan(instance);
  if (latest === undefined) return undefined;
  const { name, status } = latest;
  const message = failedStepOf(name, status)?.message ?? status.message;
  return { plan: name, uid: status.uid ?? '', status: status.status, message };
}
