import { TerminalError } from '@/lib/errors/errors';
import { type JsonObject, parseJsonObject } from '@/lib/json/json';
import { type Lifecycle, lifecycleObject, readLifecycle } from '../kudo/repository/lifecycle';

/**
 * What a registry says about upgrades to a version: the members of an index entry (`channels`, `upgradableFrom`, `required`, `withdrawn`,
 * `advisories`) as JSON, in the one layer of the artifact at the tag `sha256-HEX.release`, where cosign has its `sha256-HEX.sig`. The tag can
 * be written again, so that channels change and the digest of the package stays.
 */
export const RELEASE_TYPE = 'application/vnd.kudo.package.release.v1+json';

/** The tag of what is said about the version with that digest. */
export function releaseTag(digest: string): string {
  return `${digest.replace(':', '-')}.release`;
}

/** The text of a record: the same for the same content. */
export function formatReleaseRecord(lifecycle: Lifecycle): string {
  return JSON.stringify(lifecycleObject(lifecycle));
}

/** @throws TerminalError `IndexInvalid` that names the member: to read over a withdrawal would be worse than to stop */
export function parseReleaseRecord(text: string, place: string): Lifecycle {
  const invalid = (why: string): TerminalError =>
    new TerminalError(`What ${place} says about upgrades cannot be read: ${why}.`, 'IndexInvalid');
  const file: JsonObject | undefined = parseJsonObject(text);
  if (file === undefined) throw invalid('it is not a JSON object');
  return readLifecycle(file, (path, message) => {
    throw invalid(`${path.join('.')} ${message}`);
  });
}
