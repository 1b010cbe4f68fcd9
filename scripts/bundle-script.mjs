import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf, root } from './tree.mjs';

/**
 * Bundles one TypeScript file of e2e/, test/ or cli/ so that Node can run it, and returns the path of the result.
 *
 * @param {string} path relative to the root
 */
export async function bundleScript(path) {
  const outfile = join(
    root,
    'dist',
    'scripts',
    `${path.replaceAll('/', '-').replace(/\.ts$/, '')}-${digestOf(['e2e', 'test', 'server', 'lib', 'cli', 'scripts/bundle-script.mjs'])}.mjs`,
  );
  if (existsSync(outfile)) return outfile;
  const { build } = await import('esbuild');
  // Several processes may do this at once; another one may read the result.
  const making = `${outfile}.${process.pid}.part`;
  await build({
    absWorkingDir: root,
    entryPoints: [join(root, path)],
    outfile: making,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    alias: { '@': root },
    packages: 'external',
    logLevel: 'error',
  });
  renameSync(making, outfile);
  return outfile;
}
