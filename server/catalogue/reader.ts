import type { PackageDetail, PackageSummary } from '@/lib/kudo/package/catalogue';
import { versionKeyOf } from '@/lib/kudo/package/catalogue';
import { packageToObjects } from '@/lib/kudo/package/to-objects';
import { packagePage } from '@/lib/kudo/package-docs/package-page';
import { secretParameters } from '@/lib/kudo/parameters/parameters';
import type { OperatorVersion } from '@/lib/kudo/types';
import { SECRET_MARK } from '@/lib/live/secret-mark';
import type { CatalogueEntry, PackageCatalogue } from '@/server/packages/catalogue';
import { resolveDependencies } from '@/server/packages/dependencies';
import { readReadme } from '@/server/packages/read-readme';

/** The catalogue as pages and routes read it. */
export interface CatalogueReader {
  /** Every package: by name, best version first. */
  list(): Promise<readonly PackageSummary[]>;
  /** One package by its name and version key; undefined when there is none. */
  detail(name: string, key: string): Promise<PackageDetail | undefined>;
  /** Files in the catalogue's folders that are not packages, with the reason. */
  broken(): Promise<readonly { readonly place: string; readonly message: string }[]>;
}

/** A reader of the process's catalogue. */
export function catalogueReader(catalogue: PackageCatalogue): CatalogueReader {
  return {
    list: async () => (await catalogue.list()).map(summaryOf),
    broken: () => catalogue.broken(),
    async detail(name, key) {
      const entry = await findEntry(catalogue, name, key);
      return entry === undefined ? undefined : detailOf(entry, catalogue);
    },
  };
}

/** The entry of the catalogue with that version key. */
export async function findEntry(
  catalogue: PackageCatalogue,
  name: string,
  key: string,
): Promise<CatalogueEntry | undefined> {
  return (await catalogue.list()).find((entry) => entry.name === name && keyOf(entry) === key);
}

/** A package as lists show it. */
export function summaryOf(entry: CatalogueEntry): PackageSummary {
  const { operator, parameters } = entry.loaded.package;
  return {
    name: entry.name,
    key: keyOf(entry),
    operatorVersion: entry.operatorVersion,
    appVersion: entry.appVersion,
    origin: entry.origin,
    description: operator.description ?? '',
    url: operator.url ?? '',
    maintainers: operator.maintainers.map(({ name, email }) => name ?? email ?? '').filter(Boolean),
    parameterCount: parameters.length,
    plans: Object.keys(operator.plans),
    warnings: entry.verification.warnings.map(({ path, message }) => ({ path, message })),
  };
}

/** A package with the objects that it becomes. */
export async function detailOf(entry: CatalogueEntry, catalogue: PackageCatalogue): Promise<PackageDetail> {
  const { operator, operatorVersion } = packageToObjects(entry.loaded.package, { namespace: '' });
  return {
    ...summaryOf(entry),
    operator,
    version: maskDefaults(operatorVersion),
    dependencies: await dependenciesOf(entry, catalogue),
    documentation: packagePage(entry.loaded.package, await readReadme(entry.loaded)),
  };
}

/** Pages contain no secrets, not even a package's default values of them. */
function maskDefaults(version: OperatorVersion): OperatorVersion {
  const secrets = secretParameters(version);
  const parameters = version.spec?.parameters?.map((parameter) =>
    secrets.has(parameter.name) && (parameter.default ?? '') !== ''
      ? { ...parameter, default: SECRET_MARK }
      : parameter,
  );
  return { ...version, spec: { ...version.spec, ...(parameters === undefined ? {} : { parameters }) } };
}

/** A package with missing dependencies can still be shown; installing it names them. */
async function dependenciesOf(entry: CatalogueEntry, catalogue: PackageCatalogue): Promise<readonly string[]> {
  try {
    const context = { catalogue, scope: entry.loaded.scope };
    const { dependencies } = await resolveDependencies(entry.loaded, context);
    return dependencies.map(({ operator }) => `${operator.name} ${operator.appVersion ?? operator.operatorVersion}`);
  } catch {
    return [];
  }
}

function keyOf({ loaded }: CatalogueEntry): string {
  return versionKeyOf(packageToObjects(loaded.package, { namespace: '' }).operatorVersion);
}
