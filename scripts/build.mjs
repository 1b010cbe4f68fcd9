// npm run build: builds the pages and the server.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { checkNode, ensureInstalled, ensurePages, STAMP } from './prepare.mjs';
import { root } from './tree.mjs';

checkNode();
ensureInstalled();
rmSync(join(root, STAMP), { force: true });
ensurePages();
const { ensureServerBundle } = await import('./bundle.mjs');
await ensureServerBundle();
