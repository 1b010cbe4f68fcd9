import { createHash } from 'node:crypto';
import { formatTime, parseTime } from '@/lib/clock/clock';
import { BravoError, messageOf } from '@/lib/errors/errors';
import { jsonEqual } from '@/lib/json/json';
import { nameOf, namespacedName, namespaceOf } from '@/lib/kube/object';
import { OPERATOR_LABEL, operatorVersionKey, operatorVersionName } from '@/lib/kudo/names';
import { isDeleting } from '@/lib/kudo/plan/scheduled';
import { DEFAULT_CHANNEL } from '@/lib/kudo/repository/lifecycle';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { checkSubscription, type SubscribedInstance } from '@/lib/kudo/upgrades/check-subscription';
import {
  DEFAULT_INTERVAL_MINUTES,
  type OperatorSubscription,
  type OperatorSubscriptionSpec,
  type OperatorSubscriptionStatus,
} from '@/lib/kudo/upgrades/operator-subscription';
import { randomInteger } from '@/lib/random/random';
import { backoffMs } from '@/server/kube/backoff';
import type { ReleaseSource } from '@/server/packages/package-reference';
import { subscribedRepository } from '@/server/upgrades/open-repository';
import { versionsOf } from '@/server/upgrades/plan-upgrade';
import type { ReconcilerDeps } from './reconciler-deps';
import { isGateMessage, startSubscribed, subscriptionGate } from './start-subscribed';
import type { Wake } from './timed-reconciler';

const NEVER: Wake = { atMs: undefined };
const MINUTE_MS = 60_000;
const RETRY_FLOOR_MS = MINUTE_MS;
/** What holds an upgrade back may pass without a change that the controller sees. */
const HELD_AGAIN_MS = 10 * MINUTE_MS;

/**
 * Looks at one subscription and does the next thing: asks the repository when that is due, and creates the upgrade that is approved, in its
 * window. Safe to be called at any time, any number of times, after any crash: an upgrade is named after what it does.
 */
export async function reconcileSubscription(deps: ReconcilerDeps, key: string): Promise<Wake> {
  const known = deps.subscriptions.get(key);
  if (known === undefined) return NEVER;
  // Each change of an Instance leads here; most mean nothing.
  if (!isDue(deps, known) && !mayStart(deps, known)) return wakeOf(deps, known);
  const subscription = await deps.subscriptions.refresh(key);
  if (subscription === undefined || (subscription.metadata.deletionTimestamp ?? '') !== '') return NEVER;
  if (subscription.spec?.suspend === true) {
    await write(deps, subscription, { ...subscription.status, heldBy: 'The subscription is suspended.' });
    return NEVER;
  }
  const place = { namespace: namespaceOf(subscription), spec: subscription.spec ?? {} };
  const source = subscribedRepository(deps.api, place, deps.openRepository);
  const checked = await check(deps, subscription, source);
  if (checked.status?.problem !== undefined) return wakeOf(deps, checked);
  return wakeOf(deps, await start(deps, checked, source));
}

/** Whether an upgrade that is known may start, or is held back by something else than before. Asks nobody. */
function mayStart(deps: ReconcilerDeps, subscription: OperatorSubscription): boolean {
  const { path = [], heldBy } = subscription.status ?? {};
  if (path.length === 0 || subscription.spec?.suspend === true) return false;
  const gate = subscriptionGate(deps, subscription, deps.clock.now());
  if (gate !== undefined) return gate.message !== heldBy;
  // What the checks of an upgrade found is looked at again later.
  return heldBy === undefined || isGateMessage(heldBy) || isTimeOver(subscription, deps.clock.now());
}

function isTimeOver({ status }: OperatorSubscription, nowMs: number): boolean {
  return nowMs - (parseTime(status?.checkedAt) ?? 0) >= HELD_AGAIN_MS;
}

function isDue(deps: ReconcilerDeps, subscription: OperatorSubscription): boolean {
  const { spec = {}, status = {} } = subscription;
  if (spec.suspend === true) return status.heldBy !== 'The subscription is suspended.';
  if (status.observed !== observedOf(spec)) return true;
  if (deps.clock.now() >= (parseTime(status.nextCheck) ?? 0)) return true;
  // Instances that move one after the other do not ask the repository one after the other.
  return deps.clock.now() >= soonestMs(subscription) && isCountOld(deps, subscription);
}

/** When a change of the Instances may lead to another check. */
function soonestMs({ status }: OperatorSubscription): number {
  return (parseTime(status?.checkedAt) ?? 0) + MINUTE_MS;
}

/** True when the Instances have other versions than at the last check; false while checks fail. */
function isCountOld(deps: ReconcilerDeps, subscription: OperatorSubscription): boolean {
  const { spec = {}, status = {} } = subscription;
  const noted = (status.installed ?? []).map(({ version, instances }) => `${version} ${instances}`);
  return status.problem === undefined && countsOf(instancesOf(deps, subscription), spec) !== noted.sort().join();
}

function countsOf(instances: readonly SubscribedInstance[], { operator = '' }: OperatorSubscriptionSpec): string {
  const counts = new Map<string, number>();
  for (const { version } of instances) {
    const name = operatorVersionName(operator, version.operatorVersion, version.appVersion);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .map(([name, count]) => `${name} ${count}`)
    .sort()
    .join();
}

function observedOf(spec: OperatorSubscriptionSpec): string {
  const { repository = '', operator = '', channel = DEFAULT_CHANNEL, signatureKeys = [], pullSecret = '' } = spec;
  const keys = signatureKeys.map((pem) => createHash('sha256').update(pem).digest('hex').slice(0, 12));
  const by = keys.length === 0 ? '' : ` signed by ${keys.join(' ')}`;
  return `${operator} ${channel} ${repository}${by}${pullSecret === '' ? '' : ` with ${pullSecret}`}`;
}

/** The Instances that a subscription is about: those of its operator with its labels, children aside. */
function instancesOf(deps: ReconcilerDeps, subscription: OperatorSubscription): SubscribedInstance[] {
  const { operator = '', selector = {} } = subscription.spec ?? {};
  const namespace = namespaceOf(subscription);
  return deps.watches.instances.list().flatMap((object) => {
    const { labels = {}, ownerReferences = [] } = object.metadata;
    const isOurs =
      namespaceOf(object) === namespace &&
      labels[OPERATOR_LABEL] === operator &&
      Object.entries(selector).every(([name, value]) => labels[name] === value) &&
      // A child is upgraded with its parent.
      !ownerReferences.some(({ kind }) => kind === 'Instance') &&
      !isDeleting(object as Instance);
    const place = operatorVersionKey(object as Instance);
    const version = isOurs ? deps.watches.operatorVersions.get(place.namespace, place.name) : undefined;
    return version === undefined ? [] : [{ name: nameOf(object), version: versionsOf(version as OperatorVersion) }];
  });
}

/** Asks the repository, and writes what it says. */
async function check(
  deps: ReconcilerDeps,
  subscription: OperatorSubscription,
  source: ReleaseSource,
): Promise<OperatorSubscription> {
  const { spec = {}, status = {} } = subscription;
  const { operator = '', intervalMinutes = DEFAULT_INTERVAL_MINUTES } = spec;
  const intervalMs = intervalMinutes * MINUTE_MS;
  const nowMs = deps.clock.now();
  const base = { ...kept(status), checkedAt: formatTime(nowMs), observed: observedOf(spec) };
  try {
    const releases = await source.releases(operator);
    const found = checkSubscription(spec, instancesOf(deps, subscription), releases);
    // Subscriptions of one repository do not ask it at the same moment.
    const nextMs = nowMs + intervalMs * 0.9 + randomInteger(deps.random, Math.max(1, Math.round(intervalMs * 0.2)));
    return await write(deps, subscription, {
      ...base,
      nextCheck: formatTime(nextMs),
      installed: found.installed,
      path: found.steps.map((each) => operatorVersionName(operator, each.operatorVersion, each.appVersion)),
      ...(found.available === undefined ? {} : { available: found.available }),
      ...(found.problem === undefined ? {} : { heldBy: found.problem }),
    });
  } catch (error) {
    if (!(error instanceof BravoError)) throw error;
    const failures = (status.failures ?? 0) + 1;
    const nextMs =
      nowMs +
      backoffMs(failures, { floorMs: RETRY_FLOOR_MS, ceilingMs: Math.max(RETRY_FLOOR_MS, intervalMs) }, deps.random);
    const { installed, available, path } = status;
    return write(deps, subscription, {
      ...base,
      nextCheck: formatTime(nextMs),
      failures,
      problem: messageOf(error).slice(0, 500),
      ...(installed === undefined ? {} : { installed }),
      ...(available === undefined ? {} : { available }),
      ...(path === undefined ? {} : { path }),
    });
  }
}

/** What a check does not change. */
function kept({ approvedVersion, upgrade }: OperatorSubscriptionStatus): OperatorSubscriptionStatus {
  return {
    ...(approvedVersion === undefined ? {} : { approvedVersion }),
    ...(upgrade === undefined ? {} : { upgrade }),
  };
}

async function start(
  deps: ReconcilerDeps,
  subscription: OperatorSubscription,
  source: ReleaseSource,
): Promise<OperatorSubscription> {
  const { spec = {}, status = {} } = subscription;
  if ((status.path ?? []).length === 0) return subscription;
  const gate = subscriptionGate(deps, subscription, deps.clock.now());
  if (gate !== undefined) return write(deps, subscription, { ...status, heldBy: gate.message });
  const found = checkSubscription(spec, instancesOf(deps, subscription), await source.releases(spec.operator ?? ''));
  const outcome = await startSubscribed(deps, subscription, { found, source });
  const { heldBy: _, ...others } = status;
  if ('held' in outcome) return write(deps, subscription, { ...others, heldBy: outcome.held });
  const message = `OperatorUpgrade ${outcome.upgrade} moves ${found.outdated.length} Instances.`;
  deps.log.info('subscription.upgrade', { subscription: namespacedName(subscription), upgrade: outcome.upgrade });
  deps.events.record(subscription, 'Normal', 'UpgradeCreated', message);
  return write(deps, subscription, { ...others, upgrade: outcome.upgrade });
}

async function write(
  deps: ReconcilerDeps,
  subscription: OperatorSubscription,
  status: OperatorSubscriptionStatus,
): Promise<OperatorSubscription> {
  if (jsonEqual(status, subscription.status)) return subscription;
  const written = await deps.subscriptions.writeStatus(subscription, status);
  if (status.problem !== undefined && subscription.status?.problem === undefined) {
    deps.events.record(written, 'Warning', 'RepositoryUnreachable', status.problem);
  }
  return written;
}

function wakeOf(deps: ReconcilerDeps, subscription: OperatorSubscription): Wake {
  const { spec, status = {} } = subscription;
  if (spec?.suspend === true) return NEVER;
  const nowMs = deps.clock.now();
  const gate = (status.path ?? []).length === 0 ? undefined : subscriptionGate(deps, subscription, nowMs);
  const again = (status.path ?? []).length > 0 && status.problem === undefined ? nowMs + HELD_AGAIN_MS : undefined;
  const counted = isCountOld(deps, subscription) ? soonestMs(subscription) : undefined;
  const times = [parseTime(status.nextCheck), gate?.wakeMs, again, counted].filter((ms) => ms !== undefined);
  const instances = instancesOf(deps, subscription).map(({ name }) => `${namespaceOf(subscription)}/${name}`);
  return { atMs: times.length === 0 ? undefined : Math.min(...times), instances };
}
