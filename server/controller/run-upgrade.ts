import { jsonEqual } from '@/lib/json/json';
import { nameOf, namespacedName, namespaceOf } from '@/lib/kube/object';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { nextUpgradeStatus } from '@/lib/kudo/upgrades/next-upgrade-status';
import {
  isUpgradeOver,
  type OperatorUpgrade,
  type OperatorUpgradeStatus,
  UPGRADE_ANNOTATION,
  type UpgradeEntry,
} from '@/lib/kudo/upgrades/operator-upgrade';
import { ended, isMoving, movedEntry } from '@/lib/kudo/upgrades/upgrade-entry';
import { entryWords } from '@/lib/kudo/upgrades/upgrade-summary';
import { isGone } from '@/server/kube/errors';
import { type MoveResult, moveUpgraded } from './move-upgraded';
import type { ReconcilerDeps } from './reconciler-deps';
import type { Wake } from './timed-reconciler';
import { upgradeFacts } from './upgrade-facts';

const NEVER: Wake = { atMs: undefined };
/** Timeouts, locks and approvals bring no change of an Instance. */
const LOOK_AGAIN_MS = 30_000;

/**
 * Looks at one upgrade and does the next thing: the status says first what is to move, then it is moved (docs/decisions/098). Safe to be called at
 * any time, any number of times, after any crash.
 */
export async function reconcileUpgrade(deps: ReconcilerDeps, key: string): Promise<Wake> {
  const known = deps.upgrades.get(key);
  if (known === undefined || (isUpgradeOver(known) && known.spec?.rollBack !== true)) return NEVER;
  const upgrade = await deps.upgrades.refresh(key);
  if (upgrade === undefined || (upgrade.metadata.deletionTimestamp ?? '') !== '') return NEVER;
  const next = nextUpgradeStatus(upgrade, await upgradeFacts(deps, upgrade), deps.clock.now());
  if (isUpgradeOver(next)) await release(deps, upgrade);
  let written = await writeStatus(deps, upgrade, next.status);
  const results = new Map<string, MoveResult>();
  for (const move of next.moves) results.set(move.entry.name, await moveUpgraded(deps, written, move));
  written = await writeStatus(deps, written, withResults(written.status ?? {}, results, deps.clock.now()));
  return wakeOf(deps, written, next.wakeMs);
}

async function writeStatus(
  deps: ReconcilerDeps,
  upgrade: OperatorUpgrade,
  status: OperatorUpgradeStatus,
): Promise<OperatorUpgrade> {
  if (jsonEqual(status, upgrade.status)) return upgrade;
  const written = await deps.upgrades.writeStatus(upgrade, status);
  const { phase = 'Pending', wave = 0, message = '' } = status;
  if (phase === upgrade.status?.phase && wave === upgrade.status?.wave) return written;
  const isBad = phase === 'Failed' || phase === 'Paused' || phase === 'RollingBack';
  const what = phase === 'Running' ? `Wave ${wave} of ${status.waves ?? 0} moves.` : `The upgrade is ${phase}.`;
  deps.events.record(written, isBad ? 'Warning' : 'Normal', `Upgrade${phase}`, message === '' ? what : message);
  deps.log.info('upgrade.phase', { upgrade: namespacedName(written), phase, wave });
  return written;
}

function withResults(
  status: OperatorUpgradeStatus,
  results: ReadonlyMap<string, MoveResult>,
  nowMs: number,
): OperatorUpgradeStatus {
  if (results.size === 0) return status;
  const instances = (status.instances ?? []).map((entry) => withResult(entry, results.get(entry.name), nowMs));
  const first = instances.find(({ state }) => state === 'Held');
  const message = first === undefined ? status.message : entryWords(first);
  return { ...status, instances, ...(message === undefined ? {} : { message }) };
}

function withResult(entry: UpgradeEntry, result: MoveResult | undefined, nowMs: number): UpgradeEntry {
  if (result === undefined) return entry;
  const isBack = entry.state === 'RollingBack';
  switch (result.is) {
    case 'moved':
      return movedEntry(entry, nowMs);
    case 'held':
      return { ...entry, state: isBack ? 'RollingBack' : 'Held', message: result.message };
    case 'failed':
      return ended(entry, isBack ? 'RollBackFailed' : 'Failed', result.message);
  }
}

/** The Instances may be moved by other upgrades again. */
async function release(deps: ReconcilerDeps, upgrade: OperatorUpgrade): Promise<void> {
  for (const name of upgrade.spec?.instances ?? []) {
    const instance = deps.store.get(`${namespaceOf(upgrade)}/${name}`);
    if (instance?.metadata.annotations?.[UPGRADE_ANNOTATION] !== nameOf(upgrade)) continue;
    const target = { ...INSTANCES, namespace: namespaceOf(upgrade), name };
    const { resourceVersion = '' } = instance.metadata;
    const patch = { metadata: { resourceVersion, annotations: { [UPGRADE_ANNOTATION]: null } } };
    await deps.api.patch(target, 'merge', patch).catch((error: unknown) => {
      if (!isGone(error)) throw error;
    });
  }
}

function wakeOf(deps: ReconcilerDeps, upgrade: OperatorUpgrade, wakeMs: number | undefined): Wake {
  const { phase, instances = [] } = upgrade.status ?? {};
  if (isUpgradeOver(upgrade)) return NEVER;
  const moving = instances.filter(isMoving);
  const again = moving.length > 0 || phase === 'Running' ? deps.clock.now() + LOOK_AGAIN_MS : undefined;
  const times = [again, wakeMs].filter((ms) => ms !== undefined);
  return {
    atMs: times.length === 0 ? undefined : Math.min(...times),
    instances: moving.map(({ name }) => `${namespaceOf(upgrade)}/${name}`),
  };
}
