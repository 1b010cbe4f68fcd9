// npm run e2e:cluster -- --kubeconfig FILE [--image IMAGE]: checks Bravo on a cluster of yours. The last line is the sum; the exit code is
// not 0 when a check failed.
import { pathToFileURL } from 'node:url';
import { checkNode, ensureInstalled } from './prepare.mjs';

checkNode();
ensureInstalled();
const { bundleScript } = await import('./bundle-script.mjs');
const file = await bundleScript('e2e/cluster/run.ts');
const { run } = await import(pathToFileURL(file).href);
process.exit(await run(process.argv.slice(2)));
