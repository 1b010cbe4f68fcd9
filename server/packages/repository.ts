import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Clock } from '@/lib/clock/clock';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import { findInIndex, type IndexEntry, parseIndex, type RepositoryIndex } from '@/lib/kudo/repository/index-file';
import { signatureRefused } from '@/lib/kudo/signatures/simple-signing';
import type { Versioned } from '@/lib/kudo/versions';
import { limits } from '@/lib/limits/limits';
import { type Companions, companionsOfFiles, evidenceOfFiles, type ReadBeside } from './companions';
import { type Download, shownAddress } from './download';
import { type LoadedPackage, loadArchive } from './loaded-package';
import { sha256Hex } from './oci/digest';
import type { FetchedArchive, PackageReference, PackageRepository } from './package-reference';
import { checkSignatures, type SignatureEvidence, type SignaturePolicy } from './signing/check-signatures';

export interface RepositoryOptions {
  readonly name: string;
  /** `http:`, `https:` or `file:`; the folder of `index.yaml`. */
  readonly url: string;
  readonly download: Download;
  readonly clock: Clock;
  /** Only packages that these keys have signed are given. */
  readonly policy?: SignaturePolicy | undefined;
}

/** A repository of packages: an index, and archives that it lists. The index is fetched once. */
export class Repository implements PackageRepository {
  private known: Promise<RepositoryIndex> | undefined;

  constructor(readonly options: RepositoryOptions) {}

  /** @throws TerminalError when the index cannot be fetched or is not valid */
  index(): Promise<RepositoryIndex> {
    this.known ??= this.fetchIndex();
    return this.known;
  }

  /**
   * The best version of a name that has the versions asked for, from the first of its URLs that responds.
   *
   * @throws TerminalError in KUDO's words when there is none, or when none of its URLs has the package
   */
  async find(reference: PackageReference): Promise<LoadedPackage> {
    const index = await this.index().catch((error: unknown) => {
      throw new TerminalError(
        `could not download repository index file: ${messageOf(error)}`,
        'RepositoryUnreachable',
        {
          cause: error,
        },
      );
    });
    return this.load(findInIndex(index, reference));
  }

  async releases(operator: string): Promise<readonly IndexEntry[]> {
    return (await this.index()).entries.get(operator) ?? [];
  }

  /** The versions of a name that were not withdrawn. */
  async versions(name: string): Promise<readonly Versioned[]> {
    return (await this.releases(name)).filter(({ removed }) => !removed);
  }

  /** The archive of an entry, from the first of its URLs that has it. */
  async fetch(entry: IndexEntry): Promise<FetchedArchive> {
    const name = `${entry.name}-${entry.operatorVersion}`;
    if (entry.urls.length === 0) {
      throw new TerminalError(`The repository ${this.options.name} lists ${name} without a URL.`, 'IndexInvalid');
    }
    let last: unknown;
    for (const url of entry.urls) {
      try {
        const address = this.addressOf(url);
        const archive = await this.read(address, limits.packageArchiveBytes);
        checkDigest(archive, entry, url);
        return {
          archive,
          place: shownAddress(address.href),
          evidence: () => evidenceBeside(address, (url, maxBytes) => this.read(url, maxBytes)),
        };
      } catch (error) {
        last = error;
      }
    }
    throw new TerminalError(`unable to read package getting package url: ${messageOf(last)}`, 'PackageNotFound', {
      cause: last,
    });
  }

  companions({ urls: [url = ''] }: IndexEntry): Promise<Companions> {
    const address = this.addressOf(url);
    const read: ReadFile = (file, maxBytes) => this.read(file, maxBytes);
    return companionsOfFiles(besideOf(address, read), shownAddress(address.href));
  }

  private async load(entry: IndexEntry): Promise<LoadedPackage> {
    const { archive, place, evidence } = await this.fetch(entry);
    const { policy } = this.options;
    if (policy !== undefined) checkSignatures(archive, place, await evidence(), policy);
    const loaded = await loadArchive(archive, place);
    if (policy !== undefined) checkIsEntry(loaded, entry, place);
    return loaded;
  }

  private async fetchIndex(): Promise<RepositoryIndex> {
    const bytes = await this.read(indexAddress(this.options.url), limits.repositoryIndexBytes);
    return parseIndex(new TextDecoder().decode(bytes));
  }

  /** Relative URLs are relative to the index. A remote index must not name files of this machine. */
  private addressOf(url: string): URL {
    const base = indexAddress(this.options.url);
    const address = URL.canParse(url, base) ? new URL(url, base) : undefined;
    if (address === undefined || (address.protocol === 'file:' && base.protocol !== 'file:')) {
      throw new TerminalError(
        `The repository ${this.options.name} lists the URL ${url}, which is not valid for it.`,
        'IndexInvalid',
      );
    }
    return address;
  }

  private read(url: URL, maxBytes: number): Promise<Uint8Array> {
    return readAddress(url, maxBytes, this.options);
  }
}

/** Reads a file beside an archive. @throws TerminalError `NotFound` when it does not exist */
type ReadFile = (url: URL, maxBytes: number) => Promise<Uint8Array>;

function besideOf(archive: URL, read: ReadFile): ReadBeside {
  return async (suffix) => {
    const url = new URL(archive);
    url.pathname += suffix;
    try {
      return new TextDecoder().decode(await read(url, limits.attachments.bytes));
    } catch (error) {
      if (error instanceof TerminalError && error.reason === 'NotFound') return undefined;
      throw error;
    }
  };
}

function evidenceBeside(archive: URL, read: ReadFile): Promise<SignatureEvidence> {
  return evidenceOfFiles(besideOf(archive, read), shownAddress(archive.href));
}

type Reading = Pick<RepositoryOptions, 'download' | 'clock'>;

/** An archive at an `http:`, `https:` or `file:` URL, which is in no index. */
export async function fetchArchiveAt(url: string, reading: Reading): Promise<FetchedArchive> {
  const read: ReadFile = (file, maxBytes) => readAddress(file, maxBytes, reading);
  const address = new URL(url);
  const archive = await read(address, limits.packageArchiveBytes);
  return { archive, place: shownAddress(url), evidence: () => evidenceBeside(address, read) };
}

/** The package of such an archive. @throws TerminalError `SignatureRefused` among others */
export async function loadArchiveAt(
  url: string,
  { policy, ...reading }: Reading & Pick<RepositoryOptions, 'policy'>,
): Promise<LoadedPackage> {
  const { archive, place, evidence } = await fetchArchiveAt(url, reading);
  if (policy !== undefined) checkSignatures(archive, place, await evidence(), policy);
  return loadArchive(archive, place);
}

async function readAddress(url: URL, maxBytes: number, { download, clock }: Reading): Promise<Uint8Array> {
  if (url.protocol !== 'file:') return download(url.href, { clock, maxBytes });
  const path = fileURLToPath(url);
  const found = await stat(path).catch((error: unknown) => {
    throw new TerminalError(`failed to read ${path}: ${messageOf(error)}`, 'NotFound', { cause: error });
  });
  if (found.size > maxBytes) throw new TerminalError(`${path} is larger than ${maxBytes} bytes`, 'PackageInvalid');
  return readFile(path);
}

/** The URL of the index: a `/` at the end of the path is removed; query and fragment stay. */
export function indexAddress(url: string): URL {
  if (!URL.canParse(url)) throw new TerminalError(`"${url}" is not a URL`, 'InvalidArguments');
  const address = new URL(url);
  address.pathname = `${address.pathname.replace(/\/$/, '')}/index.yaml`;
  return address;
}

function checkDigest(bytes: Uint8Array, { digest, name }: IndexEntry, url: string): void {
  if (digest === '' || sha256Hex(bytes) === digest) return;
  throw new TerminalError(`${url} is not the package ${name} of the index: its SHA-256 differs`, 'DigestMismatch');
}

/** A signature says nothing of the index, so an old version that was signed must not be given as a new one. */
function checkIsEntry({ package: { operator } }: LoadedPackage, entry: IndexEntry, place: string): void {
  const { name, operatorVersion, appVersion = '' } = operator;
  const isSame = name === entry.name && operatorVersion === entry.operatorVersion && appVersion === entry.appVersion;
  if (isSame) return;
  const is = `${name} ${appVersion} ${operatorVersion}`;
  throw signatureRefused(
    place,
    `it is ${is}, but the index lists it as ${entry.name} ${entry.appVersion} ${entry.operatorVersion}.`,
  );
}
