import { TerminalError } from '@/lib/errors/errors';

/** A package, or a repository of packages, in an OCI registry. */
export interface OciReference {
  /** `host` or `host:port`; an IPv6 address is in brackets. */
  readonly registry: string;
  /** The path in the registry: lower-case components with `/` between them. */
  readonly repository: string;
  readonly tag?: string;
  /** `sha256:` and 64 lower-case hex digits: of the manifest. */
  readonly digest?: string;
}

const SCHEME = 'oci://';
const HOST = /^(?:\[[0-9a-fA-F:.]{2,45}\]|[a-zA-Z0-9](?:[a-zA-Z0-9.-]{0,251}[a-zA-Z0-9])?)(?::[0-9]{1,5})?$/;
const COMPONENT = /^[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*$/;
const TAG = /^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const MAX_REPOSITORY = 255;
const MAX_TEXT = 600;

/** True for what starts with `oci://`. */
export function isOciReference(text: string): boolean {
  return text.startsWith(SCHEME);
}

/** True for `sha256:` and 64 lower-case hex digits. */
export function isSha256Digest(text: string): boolean {
  return DIGEST.test(text);
}

/**
 * Reads `oci://registry[:port]/path[:tag][@sha256:…]` (OCI distribution specification 1.1, "Pulling manifests").
 *
 * @throws TerminalError `InvalidReference` that names the part that is wrong
 */
export function parseOciReference(text: string): OciReference {
  const wrong = (why: string): TerminalError =>
    new TerminalError(
      `"${text.slice(0, MAX_TEXT)}" is not a reference to an OCI registry: ${why}. Its form is oci://registry/path:tag.`,
      'InvalidReference',
    );
  if (text.length > MAX_TEXT) throw wrong(`it is longer than ${MAX_TEXT} characters`);
  if (!isOciReference(text)) throw wrong(`it does not start with ${SCHEME}`);
  const rest = text.slice(SCHEME.length);
  const slash = rest.indexOf('/');
  const registry = slash === -1 ? rest : rest.slice(0, slash);
  if (registry.includes('@')) throw wrong('it must not contain a user name or a password');
  if (!HOST.test(registry)) throw wrong(`"${registry}" is not a host`);
  const [path = '', digest, ...more] = (slash === -1 ? '' : rest.slice(slash + 1)).replace(/\/$/, '').split('@');
  if (more.length > 0 || (digest !== undefined && !isSha256Digest(digest))) {
    throw wrong('after @ there must be sha256: and 64 lower-case hex digits');
  }
  const [repository = '', tag, ...colons] = path.split(':');
  if (colons.length > 0 || (tag !== undefined && !TAG.test(tag))) {
    throw wrong('a tag has letters, digits, dots, dashes and underscores, at most 128');
  }
  if (repository === '') throw wrong('the path is missing');
  if (repository.length > MAX_REPOSITORY || !repository.split('/').every((each) => COMPONENT.test(each))) {
    throw wrong(`the path "${repository}" must have lower-case letters, digits, and single . _ or - between them`);
  }
  return {
    registry,
    repository,
    ...(tag === undefined ? {} : { tag }),
    ...(digest === undefined ? {} : { digest }),
  };
}

/** The text of a reference: tag and digest where it has them. */
export function formatOciReference({ registry, repository, tag, digest }: OciReference): string {
  const version = `${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`;
  return `${SCHEME}${registry}/${repository}${version}`;
}

/** True when the registry is on this machine, so that its traffic leaves it on no network. */
export function isLoopbackRegistry(registry: string): boolean {
  const host = registry.replace(/:[0-9]+$/, '').toLowerCase();
  return host === 'localhost' || host === '[::1]' || /^127(?:\.[0-9]{1,3}){3}$/.test(host);
}

/**
 * The tag of a package's versions: `16.9-1.1.0`, or `1.1.0` without a version of the application. A `+`, which tags must not have, is
 * written `_`, as Helm does it. Which versions a tag stands for is read from its manifest, never from the tag.
 *
 * @throws TerminalError when a version has characters that a tag cannot have
 */
export function versionTag(operatorVersion: string, appVersion: string): string {
  const tag = (appVersion === '' ? operatorVersion : `${appVersion}-${operatorVersion}`).replaceAll('+', '_');
  if (TAG.test(tag)) return tag;
  throw new TerminalError(
    `The versions ${appVersion} ${operatorVersion} cannot be a tag of an OCI registry. Give the tag: oci://registry/path:tag.`,
    'InvalidReference',
  );
}
