// npm start: installs and builds what is missing, then runs the server in this process, so that signals reach it.
import { checkNode, endWithNpm, ensureInstalled, ensurePages } from './prepare.mjs';

checkNode();
endWithNpm();
ensureInstalled();
process.env.NODE_ENV = 'production';
ensurePages();
const { ensureServerBundle } = await import('./bundle.mjs');
const folder = await ensureServerBundle();
const { main } = await import(`${folder}/main.mjs`);
await main({ dev: false, argv: process.argv.slice(2) });
