import { isInChannel, type Lifecycle } from '../repository/lifecycle';
import { byBestVersion, compareVersions, type Versioned } from '../versions';
import { whyNotFrom } from './version-range';

/** One version that a repository lists. */
export interface Release extends Versioned, Lifecycle {
  /** Not listed any more (KUDO's `removed`). */
  readonly removed?: boolean;
}

/** What an upgrade is to reach: a version, or the newest one of a channel. */
export type PathWish<R extends Release = Release> =
  | { readonly target: Versioned; readonly releases: readonly R[] }
  | { readonly channel: string; readonly releases: readonly R[] };

export interface UpgradePath<R extends Release = Release> {
  /** The versions to move to, one after the other; empty when there is nothing to do, or when no path exists. */
  readonly steps: readonly R[];
  /** What was aimed at: the version asked for, or the newest one of the channel; undefined when the channel has no newer one. */
  readonly target: R | undefined;
  /** Why the target is not the last of the steps: which version blocks, and why, in a sentence. */
  readonly problem?: string;
}

/** So many versions, the best ones, are looked at. */
const MOST_VERSIONS = 300;

/** `16.9-1.1.0`, or `1.1.0` without an appVersion. */
export function releaseName({ appVersion, operatorVersion }: Versioned): string {
  return appVersion === '' ? operatorVersion : `${appVersion}-${operatorVersion}`;
}

/** True when neither of the two versions goes back, and one goes on. */
export function isNewer(than: Versioned, version: Versioned): boolean {
  const app = compareVersions(version.appVersion, than.appVersion);
  const operator = compareVersions(version.operatorVersion, than.operatorVersion);
  return app >= 0 && operator >= 0 && app + operator > 0;
}

/**
 * The shortest way from an installed version to another one: each step goes to a newer version that is not withdrawn, whose
 * `upgradableFrom` allows the version before it, and skips no required version. Of two ways of the same length the one over newer versions
 * is taken. Of a channel its newest version that can be reached is taken, and `problem` says why a newer one cannot.
 */
export function findUpgradePath<R extends Release>(installed: Versioned, wish: PathWish<R>): UpgradePath<R> {
  const listed = wish.releases.filter(({ removed }) => removed !== true);
  return 'channel' in wish ? toNewest(installed, wish.channel, listed) : toTarget(installed, wish.target, listed);
}

function toTarget<R extends Release>(installed: Versioned, target: Versioned, listed: readonly R[]): UpgradePath<R> {
  const name = releaseName(target);
  const found = listed.find((each) => isSame(each, target));
  if (isSame(target, installed)) return { steps: [], target: found };
  if (found === undefined)
    return { steps: [], target: undefined, problem: `Version ${name} is not in the repository.` };
  const search = new PathSearch(installed, listed);
  const steps = search.pathTo(found);
  return steps === undefined ? { steps: [], target: found, problem: search.whyNot(found) } : { steps, target: found };
}

function toNewest<R extends Release>(installed: Versioned, channel: string, listed: readonly R[]): UpgradePath<R> {
  const members = listed.filter((each) => isInChannel(each, channel)).sort(byBestVersion);
  if (members.length === 0) {
    return { steps: [], target: undefined, problem: `Channel ${channel} has no version.` };
  }
  const newer = members.filter((each) => isNewer(installed, each) && each.withdrawn === undefined);
  const [target] = newer;
  if (target === undefined) return { steps: [], target: undefined };
  // A required version counts in whichever channel it is.
  const search = new PathSearch(
    installed,
    listed.filter((each) => isInChannel(each, channel) || each.required === true),
  );
  for (const candidate of newer) {
    const steps = search.pathTo(candidate);
    if (steps === undefined) continue;
    return candidate === target ? { steps, target } : { steps, target, problem: search.whyNot(target) };
  }
  return { steps: [], target, problem: search.whyNot(target) };
}

/** Breadth first from the installed version, each version once, better ones first. */
class PathSearch<R extends Release> {
  private readonly releases: readonly R[];
  private readonly required: readonly R[];
  /** The version before each one that can be reached; undefined is the installed one. */
  private readonly before = new Map<R, R | undefined>();

  constructor(
    private readonly installed: Versioned,
    releases: readonly R[],
  ) {
    this.releases = [...releases].sort(byBestVersion).slice(0, MOST_VERSIONS);
    this.required = this.releases.filter(({ required }) => required === true);
    let reached: (R | undefined)[] = [undefined];
    while (reached.length > 0) {
      const next: R[] = [];
      for (const from of reached) {
        for (const to of this.releases) {
          if (this.before.has(to) || this.blockOf(from ?? this.installed, to) !== undefined) continue;
          this.before.set(to, from);
          next.push(to);
        }
      }
      reached = next.sort(byBestVersion);
    }
  }

  pathTo(target: R): R[] | undefined {
    if (!this.before.has(target)) return undefined;
    const steps: R[] = [];
    for (let at: R | undefined = target; at !== undefined; at = this.before.get(at)) steps.unshift(at);
    return steps;
  }

  /** Why no step leads from one version to another one, as a sentence. */
  private blockOf(from: Versioned, to: R): string | undefined {
    const name = releaseName(to);
    if (!isNewer(from, to)) return `Version ${name} is not newer than ${releaseName(from)}.`;
    if (to.withdrawn !== undefined) return withdrawnSentence(to, to.withdrawn);
    const range = whyNotFrom(to.upgradableFrom, from);
    if (range !== undefined) return `Version ${name} ${range}, and not from ${releaseName(from)}.`;
    const skipped = this.required.find((each) => isNewer(from, each) && isNewer(each, to));
    return skipped === undefined
      ? undefined
      : `Version ${releaseName(skipped)} must not be skipped on the way to ${name}.`;
  }

  /** Which version blocks the way to a target that cannot be reached, and why. */
  whyNot(target: R): string {
    const { installed } = this;
    if (!isNewer(installed, target)) {
      return `Version ${releaseName(target)} is not newer than the installed ${releaseName(installed)}; a downgrade is no upgrade.`;
    }
    if (target.withdrawn !== undefined) return withdrawnSentence(target, target.withdrawn);
    const skipped = this.required.find(
      (each) => isNewer(installed, each) && isNewer(each, target) && !this.before.has(each),
    );
    if (skipped !== undefined) {
      const why = this.whyNot(skipped);
      return `Version ${releaseName(skipped)} must not be skipped on the way to ${releaseName(target)}. ${why}`;
    }
    const blocks = [installed, ...this.reachedBelow(target)].map((from) => this.blockOf(from, target));
    return blocks.at(-1) ?? blocks[0] ?? '';
  }

  /** Versions that can be reached and are older than the target, oldest first. */
  private reachedBelow(target: R): R[] {
    return [...this.before.keys()].filter((each) => isNewer(each, target)).sort((a, b) => byBestVersion(b, a));
  }
}

function withdrawnSentence(version: Versioned, { reason, since }: NonNullable<Lifecycle['withdrawn']>): string {
  const when = since === undefined ? '' : ` on ${since.slice(0, 10)}`;
  return `Version ${releaseName(version)} was withdrawn${when}: ${reason.replace(/\.$/, '')}.`;
}

function isSame(a: Versioned, b: Versioned): boolean {
  return a.appVersion === b.appVersion && a.operatorVersion === b.operatorVersion;
}
