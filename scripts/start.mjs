// npm start: installs and builds what is missing, then becomes the server itself (one process for signals to reach).
import { checkNode, ensureInstalled, ensurePages } from './prepare.mjs';

checkNode();
endWithNpm();
ensureInstalled();
process.env.NODE_ENV = 'production';
ensurePages();
const { ensureServerBundle } = await import('./bundle.mjs');
const folder = await ensureServerBundle();
const { main } = await import(`${folder}/main.mjs`);
await main({ dev: false });

/**
 * npm hands a SIGTERM to the shell between it and this process, and that shell dies of it without a word. So a process that npm
 * started ends when its parent is gone.
 */
function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  timer.unref();
}
