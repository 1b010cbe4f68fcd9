import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf, root } from './tree.mjs';

const ENTRIES = {
  main: 'server/main.ts',
  'sandbox-worker': 'server/workers/sandbox-worker.ts',
  'controller-worker': 'server/workers/controller-worker.ts',
  'render-worker': 'server/tasks/render-worker-thread.ts',
  cli: 'cli/main.ts',
};

/** How many old bundles are kept: a running process may still load a chunk of its bundle. */
const KEPT = 4;

/**
 * Bundles the server and the command line into `dist/server-<digest>` if that folder does not exist, and returns the folder.
 * Its name depends on its content, and it appears by one rename: any number of processes may do this at once.
 *
 * @returns {Promise<string>} absolute path of the folder with `main.mjs`, `cli.mjs` and the workers
 */
export async function ensureServerBundle() {
  const folder = join(
    root,
    'dist',
    `server-${digestOf(['server', 'lib', 'cli', 'scripts/bundle.mjs', 'package-lock.json'])}`,
  );
  if (existsSync(join(folder, 'cli.mjs'))) return folder;
  const making = join(root, 'dist', `.making-${process.pid}`);
  await bundleInto(making);
  try {
    renameSync(making, folder);
  } catch (error) {
    // Another process was faster; its bundle is the same.
    if (!existsSync(join(folder, 'cli.mjs'))) throw error;
    rmSync(making, { recursive: true, force: true });
  }
  removeOldBundles();
  return folder;
}

async function bundleInto(folder) {
  const { build } = await import('esbuild');
  mkdirSync(folder, { recursive: true });
  const entryPoints = Object.entries(ENTRIES)
    .filter(([, path]) => existsSync(join(root, path)))
    .map(([out, path]) => ({ in: join(root, path), out }));
  await build({
    absWorkingDir: root,
    entryPoints,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    // All in one folder, so that `new URL('./x-worker.mjs', import.meta.url)` is right in every chunk.
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: 'linked',
    // Names stay: stacks of bugs are read by people.
    minifyWhitespace: true,
    alias: { '@': root },
    external: ['next', 'react', 'react-dom', 'libsql', 'pino', '@kubernetes/client-node', '@peculiar/x509'],
    // Bundled CommonJS packages call require() for Node's own modules.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}\n');
}

function removeOldBundles() {
  const dist = join(root, 'dist');
  const folders = readdirSync(dist)
    .filter((name) => name.startsWith('server-'))
    .map((name) => ({ name, madeMs: statSync(join(dist, name)).mtimeMs }))
    .sort((a, b) => b.madeMs - a.madeMs);
  for (const { name } of folders.slice(KEPT)) rmSync(join(dist, name), { recursive: true, force: true });
}
