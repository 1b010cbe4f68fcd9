import { satisfies } from '@/lib/template/semver/constraint';
import { readSemver } from '@/lib/template/semver/version';
import { GoError } from '@/lib/template/template-error';
import { byBestVersion, type Versioned } from '../versions';
import type { BaseReference } from './base-reference';

/**
 * The best version that the ranges of `extends` allow, or undefined.
 * @throws RangeProblem for a range that cannot be read
 */
export function bestBase<T extends Versioned>(candidates: readonly T[], reference: BaseReference): T | undefined {
  return [...candidates].sort(byBestVersion).find((candidate) => isAllowed(candidate, reference));
}

function isAllowed(candidate: Versioned, { version, operatorVersion }: BaseReference): boolean {
  const main = candidate.appVersion === '' ? candidate.operatorVersion : candidate.appVersion;
  return isInRange(main, version) && isInRange(candidate.operatorVersion, operatorVersion);
}

/** A range of `extends` that cannot be read. */
export class RangeProblem extends Error {}

function isInRange(version: string, range: string | undefined): boolean {
  if (range === undefined) return true;
  let isReadable = true;
  try {
    return satisfies(
      range,
      () => {
        try {
          return readSemver(version, 'v3');
        } catch (error) {
          isReadable = false;
          throw error;
        }
      },
      'v3',
    );
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    // A version that is none is in no range.
    if (!isReadable) return false;
    throw new RangeProblem(`"${range}" is not a range of versions; write for example ">=16 <17"`);
  }
}
