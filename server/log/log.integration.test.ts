import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectRoot, startNode, stopAll, temporaryFolder } from '@/test/programs/process';

/** Two logs write six lines; then the program ends in the way that its word says. */
const PROGRAM = `
import { createLog } from '@/server/log/log';
const [one, two] = [createLog('one'), createLog('two')];
for (const round of [1, 2, 3]) { one.info('first', { round }); two.warn('second', { round }); }
const [, , way] = process.argv;
if (way === 'kill') { two.error('last'); process.kill(process.pid, 'SIGKILL'); }
if (way === 'exit') process.exit(3);
if (way === 'throw') throw new Error('thrown');
if (way === 'heed') process.stdin.resume().on('end', () => { one.error('nobody reads'); process.stdout.write('goes on'); });
`;

let script = '';
beforeAll(async () => {
  const folder = temporaryFolder('log');
  script = join(projectRoot, 'dist', `log-test-${process.pid}.mjs`);
  mkdirSync(join(projectRoot, 'dist'), { recursive: true });
  const entry = join(folder, 'program.ts');
  writeFileSync(entry, PROGRAM);
  await build({
    entryPoints: [entry],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    alias: { '@': projectRoot },
    external: ['pino'],
    logLevel: 'error',
  });
});
afterAll(async () => {
  await stopAll();
  rmSync(script, { force: true });
});

describe('lines of the log that wait for each other', () => {
  it.each(['return', 'exit', 'throw', 'kill'])('are all there, in order, after a %s', async (way) => {
    const running = startNode([script, way]);
    await running.exited();
    const lines = running.output().split('\n');
    const events = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line).msg);
    const pairs = ['first', 'second', 'first', 'second', 'first', 'second'];
    expect(events).toEqual(way === 'kill' ? [...pairs, 'last'] : pairs);
  });

  it('hold nobody up when nobody reads them any more', async () => {
    const child = spawn(process.execPath, [script, 'heed'], { stdio: ['pipe', 'pipe', 'pipe'] });
    child.stderr.destroy();
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
    await once(child.stderr, 'close');
    child.stdin.end();
    const [code] = await once(child, 'exit');
    expect([code, said]).toEqual([0, 'goes on']);
  });
});
