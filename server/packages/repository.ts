import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Clock } from '@/lib/clock/clock';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import { findInIndex, type IndexEntry, parseIndex, type RepositoryIndex } from '@/lib/kudo/repository/index-file';
import type { Versioned } from '@/lib/kudo/versions';
import { limits } from '@/lib/limits/limits';
import type { Download } from './download';
import { type LoadedPackage, loadArchive } from './loaded-package';
import type { PackageReference, PackageSource } from './package-reference';

export interface RepositoryOptions {
  readonly name: string;
  /** `http:`, `https:` or `file:`; the folder of `index.yaml`. */
  readonly url: string;
  readonly download: Download;
  readonly clock: Clock;
}

/** A repository of packages: an index, and archives that it lists. The index is fetched once. */
export class Repository implements PackageSource {
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

  /** The versions of a name that the index lists and that were not withdrawn. */
  async versions(name: string): Promise<readonly Versioned[]> {
    const entries = (await this.index()).entries.get(name) ?? [];
    return entries.filter(({ removed }) => !removed);
  }

  private async load(entry: IndexEntry): Promise<LoadedPackage> {
    const name = `${entry.name}-${entry.operatorVersion}`;
    if (entry.urls.length === 0) {
      throw new TerminalError(`The repository ${this.options.name} lists ${name} without a URL.`, 'IndexInvalid');
    }
    let last: unknown;
    for (const url of entry.urls) {
      try {
        const bytes = await this.read(this.addressOf(url), limits.packageArchiveBytes);
        checkDigest(bytes, entry, url);
        return await loadArchive(bytes, url);
      } catch (error) {
        last = error;
      }
    }
    throw new TerminalError(`unable to read package getting package url: ${messageOf(last)}`, 'PackageNotFound', {
      cause: last,
    });
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

  private async read(url: URL, maxBytes: number): Promise<Uint8Array> {
    const { download, clock } = this.options;
    if (url.protocol !== 'file:') return download(url.href, { clock, maxBytes });
    const path = fileURLToPath(url);
    const found = await stat(path).catch((error: unknown) => {
      throw new TerminalError(`failed to read ${path}: ${messageOf(error)}`, 'RepositoryUnreachable', { cause: error });
    });
    if (found.size > maxBytes) throw new TerminalError(`${path} is larger than ${maxBytes} bytes`, 'PackageInvalid');
    return readFile(path);
  }
}

/** The URL of the index: a `/` at the end of the path is removed; query and fragment stay. */
export function indexAddress(url: string): URL {
  if (!URL.canParse(url)) throw new TerminalError(`"${url}" is not a URL`, 'InvalidArguments');
  const address = new URL(url);
  address.pathname = `${address.pathname.replace(/\/$/, '')}/index.yaml`;
  return address;
}

function checkDigest(bytes: Uint8Array, { digest, name }: IndexEntry, url: string): void {
  if (digest === '' || createHash('sha256').update(bytes).digest('hex') === digest) return;
  throw new TerminalError(`${url} is not the package ${name} of the index: its SHA-256 differs`, 'DigestMismatch');
}
