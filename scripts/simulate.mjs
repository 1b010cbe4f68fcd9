// npm run simulate -- --seeds N | --seed S: sandbox, controller and a virtual clock in one process, with faults.
import { pathToFileURL } from 'node:url';
import { checkNode, ensureInstalled } from './prepare.mjs';

checkNode();
ensureInstalled();
const { bundleScript } = await import('./bundle-script.mjs');
const { main } = await import(pathToFileURL(await bundleScript('e2e/robustness/simulation/main.ts')).href);
process.exit(await main(process.argv.slice(2)));
