import type { FunctionTable } from '../functions/define';
import type { SemverVersion } from '../value/semver-version';

export function semverMethods(_version: SemverVersion): FunctionTable {
  return {};
}
