// npm run simulate -- --seeds N | --seed S: sandbox, controller and a virtual clock in one process, with faults.
// npm run simulate -- --crash | --kills N | --freezes N: real controller processes, killed at every write or any time, or frozen.
import { pathToFileURL } from 'node:url';
import { checkNode, ensureInstalled } from './prepare.mjs';

checkNode();
ensureInstalled();
const { bundleScript } = await import('./bundle-script.mjs');
const argv = process.argv.slice(2);
const isReal = ['--crash', '--kills', '--freezes'].some((mode) => argv.includes(mode));
const entry = isReal ? 'crash' : 'simulation';
const { main } = await import(pathToFileURL(await bundleScript(`e2e/robustness/${entry}/main.ts`)).href);
process.exit(await main(argv));
