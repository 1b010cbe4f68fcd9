import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { projectRoot } from '@/test/programs/process';

/** The compiled code of the first process that runs for so long is what the others start with. */
const LEARN_MS = 4_000;

/**
 * Bundles the command line into one file with V8's compile cache: a process that is started to be killed spends half of its time
 * on compiling code. The sources are those of the server bundle, which also has the workers.
 *
 * @param bundle folder of `ensureServerBundle`; the file is put beside it, once for each bundle
 * @param words the words after `bravo`
 * @returns code for `node -e`: prints `loaded`, waits for a line on stdin, then runs the words
 */
export async function cachedProgram(bundle: string, words: readonly string[]): Promise<string> {
  const file = join(bundle, 'crash.cjs');
  if (!existsSync(file)) await bundleInto(file, pathToFileURL(join(bundle, 'cli.mjs')).href);
  return `
    const { Script } = require('node:vm');
    const { existsSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
    const file = ${JSON.stringify(file)};
    const cache = file + '.cache';
    const cachedData = existsSync(cache) ? readFileSync(cache) : undefined;
    const script = new Script(readFileSync(file, 'utf8'), { filename: file, cachedData });
    const module_ = { exports: {} };
    script.runInThisContext()(module_, require('node:module').createRequire(file));
    const learn = () => {
      writeFileSync(cache + '.' + process.pid, script.createCachedData());
      renameSync(cache + '.' + process.pid, cache);
    };
    process.stdout.write('loaded\\n');
    process.stdin.once('data', () => {
      process.stdin.destroy();
      if (cachedData === undefined) setTimeout(learn, ${LEARN_MS}).unref();
      module_.exports.main(${JSON.stringify(words)});
    });`;
}

async function bundleInto(file: string, here: string): Promise<void> {
  await build({
    absWorkingDir: projectRoot,
    entryPoints: [join(projectRoot, 'cli/main.ts')],
    outfile: file,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    minifyWhitespace: true,
    alias: { '@': projectRoot },
    external: ['next', 'react', 'react-dom', 'libsql', '@kubernetes/client-node'],
    define: { 'import.meta.url': 'here' },
    banner: { js: `(function (module, require) { const here = ${JSON.stringify(here)};` },
    footer: { js: '})' },
    logLevel: 'error',
  });
}
