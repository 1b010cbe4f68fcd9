import { OPERATOR_FILE, type PackageFiles } from '@/lib/kudo/package/types';
import { topScalar } from '@/lib/yaml/complete/top-scalar';
import { withFile } from './draft-files';
import { quoteValue } from './yaml-edits';

/**
 * The first version of a draft that is not taken: `1.2.0` becomes `1.2.0-draft.1`, `1.2.0-rc.1` becomes `1.2.0-rc.1.draft.1`. A
 * pre-release is older than the release, so no Instance of the release is offered the draft.
 *
 * @param isTaken true for a version that is installed or published
 */
export function draftVersion(version: string, isTaken: (version: string) => boolean): string {
  const [plain = '', build] = version.split('+');
  const joint = plain.includes('-') ? '.' : '-';
  const suffix = build === undefined ? '' : `+${build}`;
  for (let number = 1; ; number++) {
    const candidate = `${plain}${joint}draft.${number}${suffix}`;
    if (!isTaken(candidate)) return candidate;
  }
}

/** The same files with another operatorVersion. */
export function withVersion(files: PackageFiles, version: string): PackageFiles {
  return withFile(files, OPERATOR_FILE, quoteValue(files.get(OPERATOR_FILE) ?? '', 'operatorVersion', version));
}

/** What a list of drafts says of a package, also while its operator.yaml is half written: empty where it says nothing. */
export interface PackageTitle {
  readonly name: string;
  readonly operatorVersion: string;
  readonly appVersion: string;
}

/** Name and versions as operator.yaml has them. */
export function titleOfFiles(files: PackageFiles): PackageTitle {
  const text = files.get(OPERATOR_FILE) ?? '';
  const field = (key: string) => topScalar(text, key) ?? '';
  return { name: field('name'), operatorVersion: field('operatorVersion'), appVersion: field('appVersion') };
}
