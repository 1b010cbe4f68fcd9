import { accessSync, constants } from 'node:fs';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { projectRoot } from '@/server/runtime/root';

/** The names under which suites call this program. */
const NAMES = ['bravo', 'kudo', 'kubectl-kudo', 'kubectl-bravo'];

/** Stands in for a kubectl that is not installed: plug-ins only. */
const KUBECTL = `#!/bin/sh
case "$1" in
  kudo|bravo) shift; exec kubectl-kudo "$@" ;;
esac
echo "kubectl is not installed: install it to run kubectl $1 in a suite" >&2
exit 127
`;

/**
 * Makes a folder with this program under the names that PATH does not have, so that `kubectl kudo` and `kudo` work in steps.
 * @param folder it is created
 * @param path PATH of the suite's commands
 */
export async function makeLaunchers(folder: string, path: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const program = join(projectRoot, 'bin', 'bravo');
  for (const name of NAMES) if (!isOnPath(name, path)) await symlink(program, join(folder, name));
  if (isOnPath('kubectl', path)) return;
  const kubectl = join(folder, 'kubectl');
  await writeFile(kubectl, KUBECTL);
  await chmod(kubectl, 0o755);
}

function isOnPath(name: string, path: string): boolean {
  return path.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return folder !== '';
    } catch {
      return false;
    }
  });
}
