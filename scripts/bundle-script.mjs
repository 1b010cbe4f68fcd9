import { join } from 'node:path';
import { digestOf, root } from './tree.mjs';

/**
 * Bundles one TypeScript file of e2e/, test/ or cli/ so that Node can run it, and returns the path of the result.
 *
 * @param {string} path relative to the root
 */
export async function bundleScript(path) {
  const { build } = await import('esbuild');
  const outfile = join(
    root,
    'dist',
    'scripts',
    `${path.replaceAll('/', '-').replace(/\.ts$/, '')}-${digestOf(['e2e', 'test', 'server', 'lib', 'cli'])}.mjs`,
  );
  await build({
    absWorkingDir: root,
    entryPoints: [join(root, path)],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    alias: { '@': root },
    packages: 'external',
    logLevel: 'error',
  });
  return outfile;
}
