import { satisfies } from '@/lib/template/semver/constraint';
import { readSemver } from '@/lib/template/semver/version';
import { GoError } from '@/lib/template/template-error';

/** Why a version is not in a range (`>=3.4 <4`, as Helm and npm write it); undefined when it is, or when there is no range. */
export function versionProblem(range: string | undefined, version: string): string | undefined {
  if (range === undefined || range === '') return undefined;
  try {
    if (satisfies(range, () => readSemver(version, 'v3'), 'v3')) return undefined;
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    return `has version ${version}, which cannot be compared with ${range}`;
  }
  return `has version ${version}, which is not in ${range}`;
}

/** What is wrong with a range itself; undefined when nothing is. */
export function rangeProblem(range: string): string | undefined {
  try {
    satisfies(range, () => readSemver('1.0.0', 'v3'), 'v3');
    return undefined;
  } catch (error) {
    if (error instanceof GoError) return error.message;
    throw error;
  }
}
