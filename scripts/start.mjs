// npm start: installs and builds what is missing, then runs the server in this process, so that signals reach it.
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
 * npm sends SIGTERM to the shell between it and this process, and the shell exits without forwarding it. So a process that npm
 * started ends when its parent has exited.
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
