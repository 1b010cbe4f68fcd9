import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectRoot, startNode, stopAll, temporaryFolder } from '@/e2e/support/process';

/** Two logs write six lines; then the program ends in the way that its word says. */
const PROGRAM = `
import { createLog } from '@/server/log/log';
const [one, two] = [createLog('one'), createLog('two')];
for (const round of [1, 2, 3]) { one.info('first', { round }); two.warn('second', { round }); }
const [, , way] = process.argv;
if (way === 'kill') { two.error('last'); process.kill(process.pid, 'SIGKILL'); }
if (way === 'exit') process.exit(3);
if (way === 'throw') throw new Error('thrown');
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
});
