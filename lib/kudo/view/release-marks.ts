import { compareVersions } from '@/lib/kudo/versions';
import { operatorVersionKey } from '../names';
import type { Advisory } from '../repository/lifecycle';
import type { Instance, OperatorVersion } from '../types';
import { bySeverity } from '../upgrades/advisory-words';
import type { OperatorSubscription, OperatorSubscriptionStatus } from '../upgrades/operator-subscription';

/** What a list says of an operator whose Instances need attention. */
export interface ReleaseMark {
  /** Instances that have an older version than the newest known one. */
  readonly outdated: number;
  /** Instances of a version that was withdrawn. */
  readonly withdrawn: number;
  /** Advisories of versions that Instances have, the most severe first. */
  readonly advisories: readonly Advisory[];
}

/** A version of the operator that can be installed, or is. */
interface Known {
  readonly operatorVersion: string;
  readonly appVersion: string;
}

/**
 * What is to be done for an operator: its Instances against the newest version of the catalogue and of its subscriptions, and what the
 * subscriptions say of the versions that are installed.
 */
export function releaseMark(
  operator: string,
  known: readonly Known[],
  { versions, instances, subscriptions }: ReleaseObjects,
): ReleaseMark {
  const own = versions.filter(({ spec }) => spec?.operator?.name === operator);
  const byPlace = new Map(own.map((version) => [placeOf(version), version]));
  const mine = instances.filter((instance) => byPlace.has(instancePlace(instance)));
  const followed = subscriptions.filter(({ spec }) => spec?.operator === operator);
  const [newest] = [...known].sort((a, b) => compare(b, a));
  const isOld = (instance: Instance): boolean => {
    const version = byPlace.get(instancePlace(instance));
    const subscription = followed.find(({ metadata }) => metadata.namespace === instance.metadata.namespace);
    // A subscription says what is to be followed; the catalogue only where there is none.
    if (subscription?.status?.available !== undefined)
      return isBehind(subscription.status, version?.metadata.name ?? '');
    return newest !== undefined && version !== undefined && compare(versionsOf(version), newest) < 0;
  };
  const noted = followed.flatMap(({ status }) => status?.installed ?? []);
  const advisories = new Map(noted.flatMap((each) => each.advisories ?? []).map((each) => [each.id, each]));
  return {
    outdated: mine.filter(isOld).length,
    withdrawn: noted.reduce((sum, each) => sum + (each.withdrawn === undefined ? 0 : each.instances), 0),
    advisories: [...advisories.values()].sort(bySeverity),
  };
}

export interface ReleaseObjects {
  readonly versions: readonly OperatorVersion[];
  readonly instances: readonly Instance[];
  readonly subscriptions: readonly OperatorSubscription[];
}

/** True when something is to be done. */
export function needsUpgrade({ outdated, withdrawn, advisories }: ReleaseMark): boolean {
  return outdated > 0 || withdrawn > 0 || advisories.length > 0;
}

/** True for a version that is older than the one that a subscription has: `installed` begins with the oldest. */
function isBehind({ installed = [], available = '', path = [] }: OperatorSubscriptionStatus, version: string): boolean {
  const names = installed.map((each) => each.version);
  const [at, best] = [names.indexOf(version), names.indexOf(available)];
  return at >= 0 && (best < 0 ? path.length > 0 : at < best);
}

function versionsOf({ spec }: OperatorVersion): { operatorVersion: string; appVersion: string } {
  return { operatorVersion: spec?.version ?? '', appVersion: spec?.appVersion ?? '' };
}

function compare(a: Known, b: Known): number {
  return compareVersions(a.appVersion, b.appVersion) || compareVersions(a.operatorVersion, b.operatorVersion);
}

function placeOf(version: OperatorVersion): string {
  return `${version.metadata.namespace}/${version.metadata.name}`;
}

function instancePlace(instance: Instance): string {
  const { namespace, name } = operatorVersionKey(instance);
  return `${namespace}/${name}`;
}
