// npm run bench -- NAME: prints one JSON line {"name", "value", "unit"} per figure on standard output.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkNode, ensureInstalled, fail } from './prepare.mjs';
import { root } from './tree.mjs';

checkNode();
ensureInstalled();
const names = readdirSync(join(root, 'e2e/bench'))
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== 'figure.ts')
  .map((name) => name.slice(0, -3))
  .sort();
const wanted = process.argv.slice(2);
if (wanted.length === 0) fail(`Name a benchmark: ${names.join(', ')}.`);
for (const name of wanted) {
  if (!names.includes(name)) fail(`Benchmark "${name}" does not exist. Benchmarks: ${names.join(', ')}.`);
  const { bundleScript } = await import('./bundle-script.mjs');
  const file = await bundleScript(`e2e/bench/${name}.ts`);
  const { run } = await import(pathToFileURL(file).href);
  for (const figure of await run()) process.stdout.write(`${JSON.stringify(figure)}\n`);
}
process.exit(0);
