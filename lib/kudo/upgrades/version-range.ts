import { limits } from '@/lib/limits/limits';
import { satisfies } from '@/lib/template/semver/constraint';
import { readSemver } from '@/lib/template/semver/version';
import { GoError } from '@/lib/template/template-error';
import type { Versioned } from '../versions';
import { parseVersion } from '../versions';

/** From which versions an upgrade may come: ranges as Masterminds/semver reads them. An absent one allows every version. */
export interface UpgradableFrom {
  readonly operatorVersion?: string;
  readonly appVersion?: string;
}

/** What is wrong with the text of a range, as the rest of a sentence; undefined when it is one. */
export function rangeProblem(text: string): string | undefined {
  if (text.length > limits.index.rangeChars) return `is longer than ${limits.index.rangeChars} characters`;
  try {
    satisfies(text, () => readSemver('1.0.0', 'v3'), 'v3');
    return undefined;
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    return `is "${text}", which is no range of versions such as ">=1.0.0 <2.0.0"`;
  }
}

/**
 * True when a version is in a range. A version that is no semantic version is in none, and a prerelease only in one that names a
 * prerelease (Masterminds/semver 3).
 *
 * @param range one without a {@link rangeProblem}
 */
export function isInRange(range: string, version: string): boolean {
  if (parseVersion(version) === undefined) return false;
  return satisfies(range, () => readSemver(version, 'v3'), 'v3');
}

/** Why a version is not one of those that may be upgraded, as the rest of a sentence; undefined when it is. */
export function whyNotFrom(
  from: UpgradableFrom | undefined,
  { operatorVersion, appVersion }: Versioned,
): string | undefined {
  const { operatorVersion: range, appVersion: appRange } = from ?? {};
  if (range !== undefined && !isInRange(range, operatorVersion)) return `upgrades from operatorVersion ${range} only`;
  if (appRange !== undefined && !isInRange(appRange, appVersion)) return `upgrades from appVersion ${appRange} only`;
  return undefined;
}
