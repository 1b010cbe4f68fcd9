import { createHash } from 'node:crypto';
import { formatTime } from '@/lib/clock/clock';
import { BravoError, ConflictError, messageOf, TransientError } from '@/lib/errors/errors';
import type { JsonObject } from '@/lib/json/json';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import type { SubscriptionCheck } from '@/lib/kudo/upgrades/check-subscription';
import { type Release, releaseName } from '@/lib/kudo/upgrades/find-path';
import { windowState } from '@/lib/kudo/upgrades/maintenance-window';
import { type OperatorSubscription, SUBSCRIPTION_LABEL } from '@/lib/kudo/upgrades/operator-subscription';
import {
  isUpgradeOver,
  OPERATOR_UPGRADE_API_VERSION,
  OPERATOR_UPGRADES,
  type OperatorUpgradeSpec,
} from '@/lib/kudo/upgrades/operator-upgrade';
import { limits } from '@/lib/limits/limits';
import type { UpgradeRepository } from '@/server/upgrades/open-repository';
import { planUpgrade } from '@/server/upgrades/plan-upgrade';
import { installSteps, stepVersions } from '@/server/upgrades/step-versions';
import type { ReconcilerDeps } from './reconciler-deps';

/** Why nothing starts now; `wakeMs`: when to look again at the latest. */
export interface SubscriptionGate {
  readonly message: string;
  readonly wakeMs?: number | undefined;
}

/** What keeps a subscription from an upgrade, without asking anybody: another upgrade, the approval, the window. Undefined when nothing does. */
export function subscriptionGate(
  deps: Pick<ReconcilerDeps, 'upgrades'>,
  subscription: OperatorSubscription,
  nowMs: number,
): SubscriptionGate | undefined {
  const { spec = {}, status = {} } = subscription;
  const { upgrade = '', path = [], approvedVersion } = status;
  const running = upgrade === '' ? undefined : deps.upgrades.get(`${namespaceOf(subscription)}/${upgrade}`);
  if (running !== undefined && !isUpgradeOver(running)) {
    return { message: `OperatorUpgrade ${upgrade} is not over.`, wakeMs: nowMs + 60_000 };
  }
  const target = path.at(-1) ?? '';
  const phase = running?.status?.phase ?? 'Pending';
  if (running?.spec?.path?.at(-1) === target && phase !== 'Complete') {
    return { message: `OperatorUpgrade ${upgrade} to this version is ${phase}. To try it again, delete it.` };
  }
  if (spec.approval !== 'Automatic' && approvedVersion !== target) {
    return { message: `Version ${target} waits for an approval.` };
  }
  const window = windowState(spec.window, nowMs);
  if (typeof window === 'string') return { message: window };
  if (window.isOpen) return undefined;
  const opens = window.opensAtMs === undefined ? 'never opens again' : `opens at ${formatTime(window.opensAtMs)}`;
  return { message: `The maintenance window is closed; it ${opens}.`, wakeMs: window.opensAtMs };
}

/** True for a message of {@link subscriptionGate}. */
export function isGateMessage(text: string): boolean {
  return /^(?:Version \S* waits for an approval|The maintenance window |OperatorUpgrade \S* (?:is not over|to this version is))/.test(
    text,
  );
}

/** What a check found, and where the packages come from. */
export interface SubscribedUpgrade {
  readonly found: SubscriptionCheck;
  readonly source: UpgradeRepository;
}

/** The name of the OperatorUpgrade, or why there is none, in a sentence. */
export type SubscribedStart = { readonly upgrade: string } | { readonly held: string };

/**
 * Creates the upgrade that a check found: its OperatorVersions first, then the OperatorUpgrade, which is named after what it does. So a second try
 * after a crash is the same upgrade.
 *
 * @throws TransientError when the API server does not answer
 */
export async function startSubscribed(
  deps: ReconcilerDeps,
  subscription: OperatorSubscription,
  wanted: SubscribedUpgrade,
): Promise<SubscribedStart> {
  try {
    return await tryStart(deps, subscription, wanted);
  } catch (error) {
    if (!(error instanceof BravoError) || error instanceof TransientError || error instanceof ConflictError)
      throw error;
    return { held: messageOf(error).slice(0, 500) };
  }
}

async function tryStart(
  deps: ReconcilerDeps,
  subscription: OperatorSubscription,
  { found, source }: SubscribedUpgrade,
): Promise<SubscribedStart> {
  const { spec = {} } = subscription;
  const { operator = '' } = spec;
  const namespace = namespaceOf(subscription);
  const instances = found.outdated.slice(0, limits.upgrades.instances);
  const path = found.steps.slice(0, limits.upgrades.steps);
  const name = upgradeName(subscription, instances, path.map(releaseName));
  const existing = await deps.upgrades.refresh(`${namespace}/${name}`);
  if (existing !== undefined) {
    const phase = existing.status?.phase ?? 'Pending';
    if (!isUpgradeOver(existing)) return { upgrade: name };
    return { held: `OperatorUpgrade ${name} to this version is ${phase}. To try it again, delete it.` };
  }
  const blocked = await firstBlocked(deps, subscription, { instances, to: path.at(-1), source });
  if (blocked !== undefined) return { held: blocked };
  const steps = await stepVersions({ api: deps.api, source, namespace, operator }, path);
  await installSteps(deps.api, steps);
  const upgrade: OperatorUpgradeSpec = {
    ...waveFieldsOf(spec),
    ...{ operator, instances, path: steps.map(({ operatorVersion }) => nameOf(operatorVersion)) },
    reason: `subscription ${nameOf(subscription)}`,
  };
  const metadata = { name, namespace, labels: { [SUBSCRIPTION_LABEL]: nameOf(subscription).slice(0, 63) } };
  const object = {
    apiVersion: OPERATOR_UPGRADE_API_VERSION,
    kind: 'OperatorUpgrade',
    metadata,
    spec: upgrade as JsonObject,
  };
  await deps.api.create({ ...OPERATOR_UPGRADES, namespace }, object).catch((error: unknown) => {
    if (!(error instanceof ConflictError)) throw error;
  });
  await deps.upgrades.refresh(`${namespace}/${name}`);
  return { upgrade: name };
}

/** So many Instances are looked at before an upgrade starts; the others are judged when it is their turn. */
const MOST_PLANNED = 20;

interface PlannedStart {
  readonly instances: readonly string[];
  readonly to: Release | undefined;
  readonly source: UpgradeRepository;
}

/** What stops the upgrade of the first Instances, as the planner sees it. */
async function firstBlocked(
  deps: ReconcilerDeps,
  subscription: OperatorSubscription,
  { instances, to, source }: PlannedStart,
): Promise<string | undefined> {
  if (to === undefined) return undefined;
  for (const name of instances.slice(0, MOST_PLANNED)) {
    const key = { namespace: namespaceOf(subscription), name };
    const { checks } = await planUpgrade({ api: deps.api, clock: deps.clock, source }, key, { to: releaseName(to) });
    const blocked = checks.find(({ state }) => state === 'blocked');
    if (blocked !== undefined) return `Instance ${name}: ${blocked.message}`;
  }
  return undefined;
}

function waveFieldsOf(spec: NonNullable<OperatorSubscription['spec']>): Partial<OperatorUpgradeSpec> {
  const { waveSize, pauseOnFailure, rollBackWave, instanceTimeoutMinutes, window, confirm } = spec;
  const all = { waveSize, pauseOnFailure, rollBackWave, instanceTimeoutMinutes, window, confirm };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** The same for the same Instances and versions. */
function upgradeName(
  subscription: OperatorSubscription,
  instances: readonly string[],
  path: readonly string[],
): string {
  const text = [subscription.metadata.uid ?? '', instances.join(), path.join()].join('\n');
  return `${nameOf(subscription)}-${createHash('sha256').update(text).digest('hex').slice(0, 10)}`;
}
