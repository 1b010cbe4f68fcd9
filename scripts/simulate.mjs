// npm run simulate -- --seeds N [--from M] | --seed S: sandbox, controllers and a virtual clock in one process, with faults.
// npm run simulate -- --crash | --kills N | --freezes N: real controller processes, killed at every write or at random times, or suspended.
import { pathToFileURL } from 'node:url';
import { checkNode, ensureInstalled } from './prepare.mjs';

checkNode();
ensureInstalled();
const { bundleScript } = await import('./bundle-script.mjs');
const args = process.argv.slice(2);
const isReal = ['--crash', '--kills', '--freezes'].some((mode) => args.includes(mode));
const bundle = await bundleScript(`e2e/robustness/${isReal ? 'crash' : 'simulation'}/main.ts`);
if (!isReal && option('seed') === undefined) {
  const { simulateMany } = await import('./simulate-many.mjs');
  process.exit(
    await simulateMany(bundle, {
      from: Number(option('from') ?? 1),
      seeds: Number(option('seeds') ?? 100),
      faults: option('faults') ?? '20',
      shards: option('shards') ?? '1',
      processes: Number(option('processes') ?? 0),
    }),
  );
}
const { main } = await import(pathToFileURL(bundle).href);
process.exit(await main(args));

function option(name) {
  const at = args.indexOf(`--${name}`);
  return at < 0 ? undefined : args[at + 1];
}
