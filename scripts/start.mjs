// npm start: installs and builds what is missing, then becomes the server itself (one process for signals to reach).
import { checkNode, ensureInstalled, ensurePages } from './prepare.mjs';

checkNode();
ensureInstalled();
process.env.NODE_ENV = 'production';
ensurePages();
const { ensureServerBundle } = await import('./bundle.mjs');
const folder = await ensureServerBundle();
const { main } = await import(`${folder}/main.mjs`);
await main({ dev: false });
