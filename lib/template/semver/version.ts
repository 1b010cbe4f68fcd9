import { parseLooseSemver, type SemverEdition } from '@/lib/semver/semver';
import { GoError } from '../template-error';
import { SemverVersion } from '../value/semver-version';

/** Masterminds' NewVersion as a value of a template. @throws GoError */
export function readSemver(text: string, edition: SemverEdition): SemverVersion {
  const parsed = parseLooseSemver(text, edition);
  if (typeof parsed === 'string') throw new GoError(parsed);
  return new SemverVersion(parsed, text, { isPointer: true, isOld: edition === 'v1' });
}
