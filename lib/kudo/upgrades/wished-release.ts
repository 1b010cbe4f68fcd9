import { byBestVersion } from '../versions';
import { type Release, releaseName } from './find-path';

/**
 * The release that a text means: `16.9-1.1.0`, the name of its OperatorVersion, or its operatorVersion alone (the best one that has it).
 * Undefined when none is meant.
 */
export function wishedRelease<R extends Release>(
  releases: readonly R[],
  operator: string,
  text: string,
): R | undefined {
  const sorted = [...releases].sort(byBestVersion);
  const named = sorted.find((each) => [releaseName(each), `${operator}-${releaseName(each)}`].includes(text));
  return named ?? sorted.find(({ operatorVersion }) => operatorVersion === text);
}
