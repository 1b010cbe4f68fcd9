// npm run dev: pages reload by themselves (Next); an edit of server/ or lib/ restarts the process.
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { checkNode, ensureInstalled, say } from './prepare.mjs';
import { root } from './tree.mjs';

checkNode();
ensureInstalled();
const { ensureServerBundle } = await import('./bundle.mjs');

let child;
let wanted = true;

async function start() {
  try {
    const folder = await ensureServerBundle();
    child = spawn(process.execPath, [join(root, 'scripts/dev-server.mjs'), folder], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, NODE_ENV: 'development', NEXT_TELEMETRY_DISABLED: '1' },
    });
    child.on('exit', (status) => {
      if (wanted && child.restarting) start();
      else process.exit(status ?? 1);
    });
  } catch (error) {
    say(String(error.message ?? error));
  }
}

let pending;
for (const folder of ['server', 'lib']) {
  watch(join(root, folder), { recursive: true }, (_event, name) => {
    if (name?.endsWith('.ts') !== true || name.endsWith('.test.ts')) return;
    clearTimeout(pending);
    pending = setTimeout(() => {
      say(`${folder}/${name} changed: restarting.`);
      if (child === undefined || child.exitCode !== null) start();
      else {
        child.restarting = true;
        child.kill('SIGTERM');
      }
    }, 300);
  });
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    wanted = false;
    if (child === undefined || child.exitCode !== null) process.exit(0);
    child.kill('SIGTERM');
  });
}
await start();
