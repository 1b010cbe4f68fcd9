// npm run manifests: writes deploy/manifests from lib/kudo/installation.
import { spawnSync } from 'node:child_process';
import { checkNode, ensureInstalled } from './prepare.mjs';

checkNode();
ensureInstalled();
const { bundleScript } = await import('./bundle-script.mjs');
const file = await bundleScript('cli/write-manifests.ts');
const result = spawnSync(process.execPath, [file], { stdio: 'inherit' });
process.exit(result.status ?? 1);
