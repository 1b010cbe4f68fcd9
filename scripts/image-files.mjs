// node scripts/image-files.mjs OUT: puts what an image of Bravo needs at run time into the folder OUT, after npm run build: the server
// bundle, the built pages, the packages that they load (traced, without what only builds need), and the command bravo.
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { ensureServerBundle } from './bundle.mjs';
import { root } from './tree.mjs';

const APP = '/app';

/** Loaded for building and for development alone. */
const LEFT_OUT = [
  'node_modules/next/dist/compiled/webpack/**',
  'node_modules/next/dist/compiled/babel*/**',
  'node_modules/next/dist/compiled/@babel/**',
  'node_modules/next/dist/compiled/**/*.development.js',
  'node_modules/next/dist/compiled/**/*.dev.js',
  'node_modules/next/dist/build/swc/**/*.node',
  'node_modules/@next/swc-*/**',
  'node_modules/@img/**',
  'node_modules/sharp/**',
  'node_modules/esbuild/**',
  'node_modules/@esbuild/**',
  'node_modules/typescript/**',
  'node_modules/@typescript/**',
  'node_modules/vite/**',
  'node_modules/vitest/**',
  'node_modules/@vitest/**',
  'node_modules/playwright*/**',
  'node_modules/@playwright/**',
  'node_modules/@biomejs/**',
  'node_modules/lightningcss*/**',
  '**/*.map',
  '**/*.d.ts',
  '**/*.md',
];

/** What is read by its path at run time. */
// The native part of libsql is chosen by its platform at run time.
const WHOLE = [
  'node_modules/@libsql',
  'node_modules/@swc/helpers',
  // Next loads parts of itself by names that cannot be traced.
  'node_modules/next/dist/server',
  'node_modules/next/dist/lib',
  'node_modules/next/dist/shared',
  '.next/static',
  '.next/server',
  '.next/node_modules',
  'public',
  'operators',
  // The guide without its pictures.
  ...readdirSync(join(root, 'docs/guide'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/guide/${name}`),
  'package.json',
  'next.config.js',
  'LICENSE',
  'NOTICE',
];

const out = process.argv[2];
if (out === undefined) throw new Error('node scripts/image-files.mjs OUT');
const app = join(out, APP);
const bundle = await ensureServerBundle();
const traced = await trace(bundle);
for (const path of [...traced, ...WHOLE, ...rootFilesOf('.next')]) copy(path);
cpSync(bundle, join(app, 'dist/server'), { recursive: true, filter: (path) => !path.endsWith('.map') });
writeLauncher();

/** Files of the packages, relative to the root, that the bundle, Next's server and the built pages load. */
async function trace(folder) {
  const require = createRequire(import.meta.url);
  const { nodeFileTrace } = require('next/dist/compiled/@vercel/nft');
  const entries = readdirSync(folder)
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => join(folder, name));
  const next = [
    'next/dist/server/next.js',
    'next/dist/server/lib/start-server.js',
    'next/dist/server/lib/router-server.js',
  ];
  const pages = readdirSync(join(root, '.next/server'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => join(root, '.next/server', name));
  const { fileList } = await nodeFileTrace(
    [...entries, ...next.map((path) => join(root, 'node_modules', path)), ...pages, importsOfPages()],
    { base: root, processCwd: root, ignore: LEFT_OUT, mixedModules: true },
  );
  return [...fileList].filter((path) => path.startsWith('node_modules/'));
}

/**
 * A module with the imports of the packages that the built pages load by names of their own (`.next/node_modules/ws-HASH`), which cannot be
 * traced. As modules: a package may have other files for `import` than for `require`.
 */
function importsOfPages() {
  const links = readdirSync(join(root, '.next/node_modules'), { recursive: true, encoding: 'utf8' })
    .map((name) => join(root, '.next/node_modules', name))
    .filter((path) => lstatSync(path).isSymbolicLink());
  const packages = links.map((path) => relative(join(root, 'node_modules'), join(dirname(path), readlinkSync(path))));
  const file = join(root, 'dist/imports-of-pages.mjs');
  writeFileSync(file, packages.map((name) => `import '${name}';\n`).join(''));
  return file;
}

/** The small files at the top of a folder: manifests of the built pages. */
function rootFilesOf(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('trace'))
    .map(({ name }) => `${folder}/${name}`);
}

function copy(path) {
  const [from, to] = [join(root, path), join(app, path)];
  if (!existsSync(from)) return;
  mkdirSync(dirname(to), { recursive: true });
  if (lstatSync(from).isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else
    cpSync(from, to, {
      force: true,
      recursive: true,
      verbatimSymlinks: true,
      filter: (each) => !/\.(map|nft\.json|d\.ts)$/.test(each),
    });
}

/** `bravo` without a shell and without a build: an image has neither sources nor esbuild. */
function writeLauncher() {
  const bin = join(out, 'usr/local/bin');
  mkdirSync(bin, { recursive: true });
  const lines = [
    '#!/usr/local/bin/node',
    "import { readFileSync } from 'node:fs';",
    "process.env.NODE_ENV ??= 'production';",
    "process.env.NEXT_TELEMETRY_DISABLED ??= '1';",
    '// As in the server of `output: standalone`: with the configuration of the build, Next loads no webpack.',
    `const { config } = JSON.parse(readFileSync('${APP}/.next/required-server-files.json', 'utf8'));`,
    'process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config);',
    `const { main } = await import('${APP}/dist/server/cli.mjs');`,
    "const called = (process.argv[1] ?? '').split('/').pop() ?? '';",
    "await main(process.argv.slice(2), called.startsWith('kubectl-') ? called : 'bravo');",
  ];
  // Node takes a file without an extension for CommonJS unless a package.json says otherwise; the link has the short name.
  const file = join(app, 'bin/bravo.mjs');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${lines.join('\n')}\n`);
  chmodSync(file, 0o755);
  for (const name of ['bravo', 'kubectl-bravo'])
    symlinkSync(relative('/usr/local/bin', `${APP}/bin/bravo.mjs`), join(bin, name));
}
