import { TerminalError } from '@/lib/errors/errors';
import { isJsonObject, type JsonValue } from '@/lib/json/json';
import type { PackageFiles } from '@/lib/kudo/package/types';
import { verifyPackage } from '@/lib/kudo/verify/verify';
import { checkDraftSize } from '@/lib/workshop/draft-files';
import { Refusal } from '@/server/http/problem';
import type { Api } from '@/server/kube/api';
import { type LoadedPackage, loadFromArchive, PackageError } from '@/server/packages/loaded-package';
import { runtime } from '@/server/runtime/runtime';
import { type InstallReport, installPlaced } from './install-placed';
import { parseInstallWish } from './install-wish';
import { refusalOfPackage } from './upload';

/**
 * Installs the files of a request (`{files: {path: text}, namespace, instance, parameters}`) with the person's own permissions. The
 * package does not come into the catalogue: only its objects are in the cluster.
 *
 * @throws Refusal 422 with the problems of the package or the invalid parameters; the errors of `install`
 */
export async function installDraft(body: JsonValue | undefined, api: Api, signal: AbortSignal): Promise<InstallReport> {
  const wish = parseInstallWish(body);
  const loaded = loadDraft(body);
  const { catalogue } = runtime();
  return installPlaced(api, { loaded, context: { catalogue, scope: loaded.scope }, wish, signal });
}

function loadDraft(body: JsonValue | undefined): LoadedPackage {
  const files = filesOf(body);
  try {
    checkDraftSize(files);
    const loaded = loadFromArchive(files, '', 'the draft');
    const { errors } = verifyPackage(loaded.package, { before: loaded.warnings });
    if (errors.length > 0) throw new PackageError(errors, 'the draft');
    return loaded;
  } catch (error) {
    if (error instanceof TerminalError) throw refusalOfPackage(error);
    throw error;
  }
}

/** @throws Refusal 422 for files that are no texts */
function filesOf(body: JsonValue | undefined): PackageFiles {
  const given = isJsonObject(body) && isJsonObject(body.files) ? body.files : {};
  const files = new Map<string, string>();
  for (const [path, text] of Object.entries(given)) {
    if (typeof text !== 'string') {
      throw new Refusal(422, 'Invalid', 'Some files are not texts.', [{ field: path, message: 'must be a text' }]);
    }
    files.set(path, text);
  }
  return files;
}
