import { operatorVersionName } from '../names';
import { DEFAULT_CHANNEL, isInChannel } from '../repository/lifecycle';
import { byBestVersion, type Versioned } from '../versions';
import { findUpgradePath, type Release } from './find-path';
import type { InstalledVersion, OperatorSubscriptionSpec } from './operator-subscription';

/** An Instance of a subscription. */
export interface SubscribedInstance {
  readonly name: string;
  readonly version: Versioned;
}

/** What a repository says about the Instances of a subscription. */
export interface SubscriptionCheck {
  readonly installed: InstalledVersion[];
  /** The name of the OperatorVersion; undefined when the channel has none. */
  readonly available: string | undefined;
  /** What the oldest Instances that can move do next; empty when nothing is to be done. */
  readonly steps: readonly Release[];
  /** Names of these Instances, sorted. */
  readonly outdated: readonly string[];
  /** Why no Instance, or not to the newest version, can move. */
  readonly problem: string | undefined;
}

/** Compares the versions of the Instances with a channel. The oldest ones that have a way move first. */
export function checkSubscription(
  { operator = '', channel = DEFAULT_CHANNEL }: OperatorSubscriptionSpec,
  instances: readonly SubscribedInstance[],
  releases: readonly Release[],
): SubscriptionCheck {
  const nameOf = ({ operatorVersion, appVersion }: Versioned) =>
    operatorVersionName(operator, operatorVersion, appVersion);
  const groups = new Map<string, SubscribedInstance[]>();
  for (const each of instances) groups.set(nameOf(each.version), [...(groups.get(nameOf(each.version)) ?? []), each]);
  const sorted = [...groups.values()].sort(([a], [b]) =>
    a === undefined || b === undefined ? 0 : byBestVersion(b.version, a.version),
  );
  const paths = sorted.flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [{ group, ...findUpgradePath(first.version, { channel, releases }) }];
  });
  const moving = paths.find(({ steps }) => steps.length > 0);
  const [newest] = releases
    .filter((each) => each.removed !== true && each.withdrawn === undefined && isInChannel(each, channel))
    .sort(byBestVersion);
  return {
    installed: sorted.flatMap(([first, ...others]) => {
      if (first === undefined) return [];
      const known = releases.find((each) => nameOf(each) === nameOf(first.version));
      const { advisories = [], withdrawn } = known ?? {};
      return [
        {
          version: nameOf(first.version),
          instances: others.length + 1,
          ...(advisories.length === 0 ? {} : { advisories: [...advisories] }),
          ...(withdrawn === undefined ? {} : { withdrawn: withdrawn.reason }),
        },
      ];
    }),
    available: newest === undefined ? undefined : nameOf(newest),
    steps: moving?.steps ?? [],
    outdated: (moving?.group ?? []).map(({ name }) => name).sort(),
    problem: (moving ?? paths.find(({ problem }) => problem !== undefined))?.problem,
  };
}
