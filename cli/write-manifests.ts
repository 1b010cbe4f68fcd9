import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chartTemplate } from '@/lib/kudo/installation/chart-template';
import { manifestFiles } from '@/lib/kudo/installation/manifest-files';
import { productVersion, projectRoot } from '@/server/runtime/root';

/** `npm run manifests`: writes `deploy/manifests` anew, and the generated part of `deploy/chart`. */
function writeManifests(): void {
  const folder = join(projectRoot, 'deploy/manifests');
  const files = manifestFiles(productVersion);
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (!files.has(name)) rmSync(join(folder, name));
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
  writeFileSync(join(projectRoot, 'deploy/chart/templates/_generated.tpl'), chartTemplate());
  process.stdout.write(`deploy/manifests: ${[...files.keys()].join(', ')}\n`);
}

writeManifests();
