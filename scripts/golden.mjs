// Replays folders of golden template renderings: npm run golden -- DIR…
import { spawnSync } from 'node:child_process';
import { checkNode, ensureInstalled } from './prepare.mjs';

checkNode();
ensureInstalled();
const { bundleScript } = await import('./bundle-script.mjs');
const file = await bundleScript('cli/golden.ts');
const result = spawnSync(process.execPath, [file, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exit(result.status ?? 1);
