#!/usr/bin/env node
// npm run node-agent -- --kubeconfig K: runs the pods of a cluster as containers on this machine (docs/decisions/060).
import { spawn } from 'node:child_process';
import { bundleScript } from './bundle-script.mjs';
import { checkNode, ensureInstalled } from './prepare.mjs';

checkNode();
ensureInstalled();
const file = await bundleScript('test/node/main.ts');
// With a PID and a mount namespace of its own, everything that the agent starts ends with it, and it ends with this process.
const namespaces = ['unshare', '--pid', '--fork', '--mount', '--mount-proc', '--kill-child'];
// The first process of a PID namespace inherits orphans and has to wait for them, which Node does not: a container whose orphans
// nobody waits for never ends.
const init = ['bash', '-c', '"$@"; exit $?', 'bash'];
const program = [...namespaces, ...init, process.execPath, file, ...process.argv.slice(2)];
const child = spawn('setpriv', ['--pdeathsig', 'KILL', ...program], { stdio: ['pipe', 'inherit', 'inherit'] });
// The end of its standard input asks the agent to clean up and to end; signals do not pass `unshare`.
const stop = () => child.stdin.end();
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
process.stdin.on('end', stop).on('close', stop).resume();
child.stdin.on('error', () => undefined);
child.on('exit', (code) => process.exit(code ?? 1));
