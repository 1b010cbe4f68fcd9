import { Refusal } from '@/server/http/problem';
import type { CatalogueEntry, PackageCatalogue } from '@/server/packages/catalogue';
import { findEntry } from './reader';

/** The package that a route's address names. @throws Refusal 404 */
export async function findCataloguePackage(
  catalogue: PackageCatalogue,
  { name, version }: { readonly name: string; readonly version: string },
): Promise<CatalogueEntry> {
  const entry = await findEntry(catalogue, name, version);
  if (entry === undefined) {
    throw new Refusal(404, 'NotFound', `The catalogue has no operator ${name} in version ${version}.`);
  }
  return entry;
}
