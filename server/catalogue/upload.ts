import { TerminalError } from '@/lib/errors/errors';
import { arrayAt, stringAt } from '@/lib/json/json';
import { Refusal } from '@/server/http/problem';
import type { CatalogueEntry, PackageCatalogue } from '@/server/packages/catalogue';

/**
 * Adds an uploaded archive to the catalogue.
 *
 * @throws Refusal 422 with every problem at its file and line
 */
export async function acceptPackage(catalogue: PackageCatalogue, archive: Uint8Array): Promise<CatalogueEntry> {
  if (archive.length === 0) throw new Refusal(400, 'BadRequest', 'The upload is empty: send a package as .tgz.');
  try {
    return await catalogue.add(archive);
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error;
    throw refusalOfPackage(error);
  }
}

/** Why a package is refused, with every problem at its file and line. */
export function refusalOfPackage(error: TerminalError): Refusal {
  const causes = arrayAt(error, 'problems').map((problem) => ({
    field: stringAt(problem, 'path') ?? '',
    message: stringAt(problem, 'message') ?? '',
  }));
  return new Refusal(422, error.reason, error.message, causes);
}
