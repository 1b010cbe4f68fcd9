import { arrayAt, type JsonObject, type JsonValue, stringAt } from '@/lib/json/json';
import { isOciReference, parseOciReference } from '@/lib/oci/reference';

/** A repository of packages as it is configured. */
export interface RepositorySource {
  readonly name: string;
  /** `http:`, `https:` or `file:`: the folder of `index.yaml`. `oci://registry/path`: each package is a repository below it. */
  readonly url: string;
  /** Public keys in PEM. When it is set, only packages that one of them has signed are accepted. */
  readonly signatureKeys?: readonly string[];
  /** Of an OCI registry that does not list its repositories: the names of the packages. */
  readonly operators?: readonly string[];
  /** Of an OCI registry: it is asked over http. */
  readonly isPlainHttp?: boolean;
}

/** What `repositories.yaml` says of a repository; undefined without a name. KUDO ignores what it does not know. */
export function parseRepositorySource(from: JsonValue): RepositorySource | undefined {
  const name = stringAt(from, 'name') ?? '';
  if (name === '') return undefined;
  const keys = textsAt(from, 'signature', 'keys');
  const isRequired = stringAt(from, 'signature', 'policy') === 'require';
  const operators = textsAt(from, 'operators');
  return {
    name,
    url: stringAt(from, 'url') ?? '',
    // Required without a key: nothing is accepted, because nobody could have signed it.
    ...(isRequired ? { signatureKeys: keys } : {}),
    ...(operators.length === 0 ? {} : { operators }),
    ...(stringAt(from, 'transport') === 'http' ? { isPlainHttp: true } : {}),
  };
}

/** The entry of a repository in `repositories.yaml`. */
export function formatRepositorySource(source: RepositorySource): JsonObject {
  const { name, url, signatureKeys, operators, isPlainHttp } = source;
  return {
    name,
    url,
    ...(signatureKeys === undefined ? {} : { signature: { policy: 'require', keys: [...signatureKeys] } }),
    ...(operators === undefined ? {} : { operators: [...operators] }),
    ...(isPlainHttp === true ? { transport: 'http' } : {}),
  };
}

/** The repository that an address is in: its policy is for this address too. Of several the one with the longest URL. */
export function sourceOfAddress(sources: readonly RepositorySource[], address: string): RepositorySource | undefined {
  const wanted = placeOf(address);
  if (wanted === undefined) return undefined;
  const holding = sources.filter(({ url }) => {
    const place = placeOf(url);
    return place !== undefined && (wanted === place || wanted.startsWith(`${place}/`));
  });
  return holding.sort((a, b) => b.url.length - a.url.length)[0];
}

/** Scheme, host and path as they can be compared; undefined when it is no address. */
function placeOf(address: string): string | undefined {
  if (isOciReference(address)) {
    const bare = address.replace(/\/$/, '');
    if (/^oci:\/\/[^/]+$/.test(bare)) return bare.toLowerCase();
    try {
      const { registry, repository } = parseOciReference(bare);
      return `oci://${registry.toLowerCase()}/${repository}`;
    } catch {
      return undefined;
    }
  }
  if (!URL.canParse(address)) return undefined;
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`;
}

function textsAt(from: JsonValue, ...path: string[]): string[] {
  return arrayAt(from, ...path).filter((each) => typeof each === 'string');
}
