import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import { packageFileName } from '@/lib/kudo/names';
import type { Release } from '@/lib/kudo/upgrades/find-path';
import { type Verification, verifyPackage } from '@/lib/kudo/verify/verify';
import { byBestVersion, type Versioned } from '@/lib/kudo/versions';
import { type LoadedPackage, loadArchive, loadPackage, PackageError } from './loaded-package';
import type { PackageReference, ReleaseSource } from './package-reference';

/** One package of the catalogue, read and verified. */
export interface CatalogueEntry {
  readonly name: string;
  readonly operatorVersion: string;
  /** Empty when the package has none. */
  readonly appVersion: string;
  readonly origin: 'bundled' | 'uploaded';
  readonly loaded: LoadedPackage;
  readonly verification: Verification;
}

/** A folder or file of the catalogue that is not a package. */
export interface BrokenEntry {
  readonly place: string;
  readonly message: string;
}

export interface CatalogueOptions {
  /** The folder of bundled packages: folders in it, up to three deep, with an operator.yaml. */
  readonly bundledDir: string;
  /** The folder of uploaded packages (`.tgz`), created at the first upload. */
  readonly uploadDir?: string | undefined;
}

/** The packages that can be installed by name: those that come with Bravo, and those that people uploaded. */
export class PackageCatalogue implements ReleaseSource {
  private known: Promise<{ entries: CatalogueEntry[]; broken: BrokenEntry[] }> | undefined;

  constructor(private readonly options: CatalogueOptions) {}

  /** Every package: by name, then best version first. */
  async list(): Promise<readonly CatalogueEntry[]> {
    return (await this.read()).entries;
  }

  /** Folders and files that cannot be read as packages. */
  async broken(): Promise<readonly BrokenEntry[]> {
    return (await this.read()).broken;
  }

  /**
   * The best version of a name that has the versions asked for (exact text; the empty text matches any).
   * @throws TerminalError in KUDO's words when there is none
   */
  async find({ name, appVersion = '', operatorVersion = '' }: PackageReference): Promise<LoadedPackage> {
    const named = (await this.list()).filter((entry) => entry.name === name);
    if (named.length === 0) throw new TerminalError(`no operator found for: ${name}`, 'PackageNotFound');
    const fitting = named.find(
      (entry) =>
        (appVersion === '' || entry.appVersion === appVersion) &&
        (operatorVersion === '' || entry.operatorVersion === operatorVersion),
    );
    if (fitting !== undefined) return fitting.loaded;
    const wanted = operatorVersion === '' ? name : `${name}-${operatorVersion}`;
    throw new TerminalError(`no operator version found for ${wanted}`, 'PackageNotFound');
  }

  async releases(operator: string): Promise<readonly Release[]> {
    const named = (await this.list()).filter(({ name }) => name === operator);
    return named.map(({ operatorVersion, appVersion, loaded }) => {
      const { upgradableFrom } = loaded.package.operator;
      return { operatorVersion, appVersion, ...(upgradableFrom === undefined ? {} : { upgradableFrom }) };
    });
  }

  /** The versions of a name, best first. */
  async versions(name: string): Promise<readonly Versioned[]> {
    return (await this.list()).filter((entry) => entry.name === name);
  }

  /**
   * Stores an uploaded `.tgz`; a package of the same versions is replaced.
   * @throws PackageError when it is not a package, TerminalError when verification finds errors
   */
  async add(archive: Uint8Array): Promise<CatalogueEntry> {
    const { uploadDir } = this.options;
    if (uploadDir === undefined) throw new TerminalError('This catalogue does not accept uploads.', 'UploadsDisabled');
    const entry = toEntry(await loadArchive(archive, 'the uploaded file'), 'uploaded');
    const [first] = entry.verification.errors;
    if (first !== undefined) throw new PackageError(entry.verification.errors, 'the uploaded file');
    const file = packageFileName(entry.name, entry.operatorVersion, entry.appVersion);
    await mkdir(uploadDir, { recursive: true });
    const making = join(uploadDir, `.${file}.part`);
    await writeFile(making, archive);
    await rename(making, join(uploadDir, file));
    this.refresh();
    return entry;
  }

  /** Removes an uploaded package; false when there is none of that name and versions. */
  async remove(entry: Pick<CatalogueEntry, 'name' | 'operatorVersion' | 'appVersion' | 'origin'>): Promise<boolean> {
    const { uploadDir } = this.options;
    const isKnown = (await this.list()).some(
      (each) =>
        each.origin === 'uploaded' &&
        each.name === entry.name &&
        each.operatorVersion === entry.operatorVersion &&
        each.appVersion === entry.appVersion,
    );
    if (!isKnown || uploadDir === undefined) return false;
    await rm(join(uploadDir, packageFileName(entry.name, entry.operatorVersion, entry.appVersion)), { force: true });
    this.refresh();
    return true;
  }

  /** Reads all packages again at the next call. */
  refresh(): void {
    this.known = undefined;
  }

  private read(): Promise<{ entries: CatalogueEntry[]; broken: BrokenEntry[] }> {
    this.known ??= this.readAll();
    return this.known;
  }

  private async readAll(): Promise<{ entries: CatalogueEntry[]; broken: BrokenEntry[] }> {
    const broken: BrokenEntry[] = [];
    const entries: CatalogueEntry[] = [];
    const take = async (place: string, origin: CatalogueEntry['origin']): Promise<void> => {
      try {
        entries.push(toEntry(await loadPackage(place), origin));
      } catch (error) {
        if (!(error instanceof TerminalError)) throw error;
        broken.push({ place, message: messageOf(error) });
      }
    };
    for (const folder of await packageFolders(this.options.bundledDir, 3)) await take(folder, 'bundled');
    for (const file of await archives(this.options.uploadDir)) await take(file, 'uploaded');
    entries.sort((a, b) => (a.name === b.name ? byBestVersion(a, b) : a.name < b.name ? -1 : 1));
    return { entries, broken };
  }
}

function toEntry(loaded: LoadedPackage, origin: CatalogueEntry['origin']): CatalogueEntry {
  const { name, operatorVersion, appVersion = '' } = loaded.package.operator;
  const verification = verifyPackage(loaded.package, { before: loaded.warnings, isForInstall: true });
  return { name, operatorVersion, appVersion, origin, loaded, verification };
}

/** Folders with an operator.yaml, none inside another, sorted by name. */
async function packageFolders(folder: string, depth: number): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  if (entries.some((entry) => entry.isFile() && entry.name === 'operator.yaml')) return [folder];
  if (depth === 0) return [];
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name));
  const found: string[] = [];
  for (const each of folders.sort()) found.push(...(await packageFolders(each, depth - 1)));
  return found;
}

async function archives(folder: string | undefined): Promise<string[]> {
  if (folder === undefined) return [];
  const names = await readdir(folder).catch(() => [] as string[]);
  return names
    .filter((name) => name.endsWith('.tgz') && !name.startsWith('.'))
    .sort()
    .map((name) => join(folder, name));
}
