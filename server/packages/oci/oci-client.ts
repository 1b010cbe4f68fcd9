import { TerminalError } from '@/lib/errors/errors';
import { arrayAt, parseJsonObject, stringAt } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import { type Descriptor, formatImageIndex, INDEX_TYPE, MANIFEST_TYPE, parseImageIndex } from '@/lib/oci/manifest';
import { formatOciReference, type OciReference } from '@/lib/oci/reference';
import { checkDigestOf, digestOf } from './digest';
import { type OciClientOptions, RegistryHttp, type RegistryRequest, type RegistryResponse } from './registry-http';

/** One path of a registry. */
export type RepositoryPath = Pick<OciReference, 'registry' | 'repository'>;

/** A manifest as the registry keeps it: the digest is of exactly these bytes. */
export interface StoredManifest {
  readonly bytes: Uint8Array;
  readonly digest: string;
  readonly mediaType: string;
}

type Asked = Omit<RegistryRequest, 'scope' | 'maxBytes'> & { readonly maxBytes?: number };

/** The verbs of the OCI distribution specification 1.1 that packages need. What is read is checked against its digest. */
export class OciClient {
  private readonly http: RegistryHttp;

  constructor(options: OciClientOptions) {
    this.http = new RegistryHttp(options);
  }

  /**
   * The manifest at a tag or digest; undefined when the registry has none.
   *
   * @throws TerminalError `RegistryUnauthorized`, `RegistryRefused`, `DigestMismatch`
   */
  async manifest(reference: OciReference): Promise<StoredManifest | undefined> {
    const url = this.urlOf(reference, `manifests/${reference.digest ?? reference.tag ?? 'latest'}`);
    const response = await this.ask(reference, 'pull', { method: 'GET', url, accept: [MANIFEST_TYPE, INDEX_TYPE] });
    if (response.status === 404) return undefined;
    const place = formatOciReference(reference);
    expectStatus(response, [200], place, 'pull');
    if (reference.digest !== undefined) checkDigestOf(response.body, reference.digest, place);
    const mediaType = (response.header('content-type') ?? '').split(';')[0]?.trim() ?? '';
    return { bytes: response.body, digest: digestOf(response.body), mediaType };
  }

  /** The bytes of a blob. @throws TerminalError when it is missing, has another digest, or more than `maxBytes` */
  async blob(path: RepositoryPath, { digest, size }: Descriptor, maxBytes: number): Promise<Uint8Array> {
    const place = formatOciReference({ ...pathOf(path), digest });
    if (size > maxBytes) throw new TerminalError(`${place} is larger than ${maxBytes} bytes.`, 'PackageInvalid');
    const url = this.urlOf(path, `blobs/${digest}`);
    const response = await this.ask(path, 'pull', { method: 'GET', url, maxBytes: Math.max(size, 4_096) });
    expectStatus(response, [200], place, 'pull');
    checkDigestOf(response.body, digest, place);
    return response.body;
  }

  /** Stores a blob, unless the registry has it. @returns false when it had it */
  async pushBlob(path: RepositoryPath, bytes: Uint8Array): Promise<boolean> {
    const digest = digestOf(bytes);
    const place = formatOciReference({ ...pathOf(path), digest });
    const found = await this.ask(path, 'pull,push', { method: 'HEAD', url: this.urlOf(path, `blobs/${digest}`) });
    if (found.status === 200) return false;
    const begun = await this.ask(path, 'pull,push', { method: 'POST', url: this.urlOf(path, 'blobs/uploads/') });
    expectStatus(begun, [202], place, 'push');
    const location = begun.header('location') ?? '';
    if (!URL.canParse(location, begun.url.href)) {
      throw new TerminalError(
        `The registry ${path.registry} accepts the upload of ${place}, but names no URL for it.`,
        'RegistryRefused',
      );
    }
    const url = new URL(location, begun.url);
    if (url.protocol !== begun.url.protocol && url.protocol !== 'https:') {
      throw new TerminalError(
        `The registry ${path.registry} wants the upload of ${place} over ${url.protocol}.`,
        'RegistryRefused',
      );
    }
    url.searchParams.set('digest', digest);
    const stored = await this.ask(path, 'pull,push', {
      method: 'PUT',
      url,
      body: bytes,
      contentType: 'application/octet-stream',
    });
    expectStatus(stored, [201], place, 'push');
    return true;
  }

  /**
   * Stores a manifest under its tag, or under its digest when the reference has no tag.
   *
   * @returns true when the registry itself links a `subject` to it (distribution specification 1.1, `OCI-Subject`)
   */
  async pushManifest(reference: OciReference, bytes: Uint8Array, mediaType: string): Promise<boolean> {
    const url = this.urlOf(reference, `manifests/${reference.tag ?? digestOf(bytes)}`);
    const response = await this.ask(reference, 'pull,push', {
      method: 'PUT',
      url,
      body: bytes,
      contentType: mediaType,
    });
    expectStatus(response, [201], formatOciReference(reference), 'push');
    return response.header('oci-subject') !== undefined;
  }

  /** Every tag, in the order of the registry; none when it does not know the repository. */
  async tags(path: RepositoryPath): Promise<readonly string[]> {
    return this.listed(this.urlOf(path, 'tags/list'), path, { field: 'tags', most: limits.oci.tags });
  }

  /**
   * Every repository of a registry. The specification has no such list; the distribution registry and those that are like it have.
   *
   * @throws TerminalError `CatalogueMissing` when the registry has no list
   */
  async repositories(registry: string): Promise<readonly string[]> {
    const url = new URL('v2/_catalog', this.http.baseOf(registry));
    return this.listed(url, { registry, repository: '' }, { field: 'repositories', most: limits.oci.repositories });
  }

  /** What refers to a manifest: by the referrers API, or by the tag that replaces it where the registry has none. */
  async referrers(path: RepositoryPath, digest: string): Promise<readonly Descriptor[]> {
    const url = this.urlOf(path, `referrers/${digest}`);
    const response = await this.ask(path, 'pull', { method: 'GET', url, accept: [INDEX_TYPE] });
    const place = formatOciReference({ ...pathOf(path), digest });
    if (response.status === 200) return parseImageIndex(textOf(response.body), `${place} (referrers)`);
    const fallback = await this.manifest({ ...pathOf(path), tag: digest.replace(':', '-') });
    return fallback === undefined ? [] : parseImageIndex(textOf(fallback.bytes), `${place} (referrers)`);
  }

  /** Stores a manifest with a subject, and lists it under the tag that replaces the referrers API where the registry has none. */
  async pushReferrer(path: RepositoryPath, bytes: Uint8Array, listed: Descriptor, subject: string): Promise<void> {
    const isLinked = await this.pushManifest({ ...pathOf(path), digest: listed.digest }, bytes, MANIFEST_TYPE);
    if (isLinked) return;
    const others = (await this.referrers(path, subject)).filter(({ digest }) => digest !== listed.digest);
    const index = Buffer.from(formatImageIndex([...others, listed]));
    await this.pushManifest({ ...pathOf(path), tag: subject.replace(':', '-') }, index, INDEX_TYPE);
  }

  private async listed(
    first: URL,
    path: RepositoryPath,
    { field, most }: { field: 'tags' | 'repositories'; most: number },
  ): Promise<readonly string[]> {
    const names: string[] = [];
    let next: URL | undefined = first;
    next.searchParams.set('n', '1000');
    for (let page = 0; next !== undefined && page < limits.oci.pages; page++) {
      const response: RegistryResponse = await this.ask(path, 'pull', { method: 'GET', url: next });
      if (field === 'tags' && response.status === 404) return [];
      if (field === 'repositories' && response.status !== 200) throw catalogueMissing(path.registry, response.status);
      expectStatus(response, [200], `${path.registry}/${path.repository}`, 'pull');
      const list = arrayAt(parseJsonObject(textOf(response.body)), field);
      names.push(...list.filter((name) => typeof name === 'string'));
      if (names.length > most) {
        throw new TerminalError(`The registry ${path.registry} lists more than ${most} ${field}.`, 'RegistryRefused');
      }
      next = nextPage(response);
    }
    return names;
  }

  private urlOf({ registry, repository }: RepositoryPath, rest: string): URL {
    return new URL(`v2/${repository}/${rest}`, this.http.baseOf(registry));
  }

  private ask({ registry, repository }: RepositoryPath, actions: string, asked: Asked): Promise<RegistryResponse> {
    const scope = repository === '' ? 'registry:catalog:*' : `repository:${repository}:${actions}`;
    return this.http.send(registry, { maxBytes: limits.oci.manifestBytes, ...asked, scope });
  }
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

function pathOf({ registry, repository }: RepositoryPath): RepositoryPath {
  return { registry, repository };
}

/** The next page of a list (RFC 8288); only of the same origin. */
function nextPage(response: RegistryResponse): URL | undefined {
  const target = /<([^>]{1,2000})>\s*;\s*rel="?next"?/.exec(response.header('link') ?? '')?.[1];
  if (target === undefined || !URL.canParse(target, response.url.href)) return undefined;
  const url = new URL(target, response.url);
  return url.origin === response.url.origin ? url : undefined;
}

/** @throws TerminalError with what the registry says, when the status is another one */
function expectStatus(
  response: RegistryResponse,
  wanted: readonly number[],
  place: string,
  verb: 'pull' | 'push',
): void {
  const { status } = response;
  if (wanted.includes(status)) return;
  if (status === 401 || status === 403) {
    throw new TerminalError(
      `The registry refuses to ${verb} ${place}. Sign in with \`docker login\`, or ask for the right to ${verb}.`,
      'RegistryUnauthorized',
    );
  }
  if (status === 404) throw new TerminalError(`The registry does not have ${place}.`, 'PackageNotFound');
  const said = stringAt(parseJsonObject(textOf(response.body)), 'errors', 0, 'message');
  const why = said === undefined ? '' : `: ${said.replace(/[^\x20-\x7e]/g, ' ').slice(0, 200)}`;
  throw new TerminalError(`The registry answered ${status} to the ${verb} of ${place}${why}.`, 'RegistryRefused');
}

function catalogueMissing(registry: string, status: number): TerminalError {
  const isRefused = status === 401 || status === 403;
  const what = isRefused
    ? 'refuses to list its repositories. Sign in, or name'
    : 'does not list its repositories. Name';
  return new TerminalError(
    `The registry ${registry} ${what} the packages (bravo repo add --operator, or the field Packages).`,
    isRefused ? 'RegistryUnauthorized' : 'CatalogueMissing',
  );
}
