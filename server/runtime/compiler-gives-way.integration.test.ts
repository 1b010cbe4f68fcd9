import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'bravo-threads-'));

/** Compiles until that was seen in another thread, then lets it give way and prints each thread's nice value and used time. */
const program = `
import { readdirSync, readFileSync } from 'node:fs';
import { letCompilerGiveWay } from ${JSON.stringify(join(import.meta.dirname, 'compiler-gives-way.ts'))};
const look = () => readdirSync('/proc/self/task').map(Number).map((number) => {
  const fields = readFileSync('/proc/self/task/' + number + '/stat', 'utf8').split(') ')[1].split(' ');
  return { number, nice: Number(fields[16]), ticks: Number(fields[11]) };
});
for (let round = 0; !look().some(({ number, ticks }) => number !== process.pid && ticks > 5); round++) {
  const lines = Array.from({ length: 60 }, (_, at) => 'if (i % ' + (at + 2) + ' === ' + (round % (at + 2)) + ') sum ^= i * ' + at + ';');
  const busy = new Function('a', 'let sum = 0; for (let i = 0; i < 3000; i++) {' + lines.join('') + '} return sum + a;');
  for (let call = 0; call < 300; call++) busy(call);
}
const gaveWay = letCompilerGiveWay();
console.log(JSON.stringify({ main: process.pid, gaveWay, threads: look() }));
`;

interface Seen {
  readonly main: number;
  readonly gaveWay: readonly number[];
  readonly threads: readonly { readonly number: number; readonly nice: number; readonly ticks: number }[];
}

describe.runIf(process.platform === 'linux')('letCompilerGiveWay', () => {
  const file = join(folder, 'program.mjs');
  beforeAll(async () => {
    await build({
      stdin: { contents: program, resolveDir: folder },
      outfile: file,
      bundle: true,
      platform: 'node',
      format: 'esm',
    });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    [['--v8-pool-size=1'], 1],
    [['--v8-pool-size=3'], 3],
    [[], 4],
  ])('lowers the threads that compile and no other with %j', (flags, count) => {
    const { stdout, stderr } = spawnSync(process.execPath, [...flags, file], { encoding: 'utf8' });
    expect(stderr).toBe('');
    const { main, gaveWay, threads } = JSON.parse(stdout) as Seen;
    expect(gaveWay).toHaveLength(count);
    const usual = threads.find(({ number }) => number === main)?.nice;
    for (const { number, nice } of threads) {
      expect({ number, nice }).toEqual({ number, nice: gaveWay.includes(number) ? 19 : usual });
    }
    const compiler = threads.find(({ number, ticks }) => number !== main && ticks > 5);
    expect(gaveWay).toContain(compiler?.number);
  });
});
