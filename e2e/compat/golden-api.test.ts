import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { systemRandom } from '@/lib/random/random';
import { startSandbox } from '@/server/sandbox/sandbox';
import { sharedPath } from '../support/shared';

const run = promisify(execFile);
const transcripts = sharedPath('golden/api');

/** So many scenarios passed when this was written, with and without kubectl on the PATH; fewer is a step back. */
const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
const FLOORS = hasKubectl ? { plain: 625, controllers: 49 } : { plain: 580, controllers: 44 };

const TOKENS = 'A,admin,admin-uid,"system:masters"\nB,alice,alice-uid,"dev"\n';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bravo-golden-'));
  writeFileSync(join(folder, 'tokens.csv'), TOKENS);
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function replay(mode: 'no-controllers' | 'no-pods', ...more: readonly string[]): Promise<number> {
  const sandbox = await startSandbox({
    port: 0,
    dataDir: join(folder, mode),
    tokenAuthFile: join(folder, 'tokens.csv'),
    mode,
    podDelayMs: 0,
    clock: systemClock,
    random: systemRandom,
  });
  try {
    const target = ['--server', sandbox.url, '--insecure', '--token-admin', 'A', '--token-alice', 'B', '--jobs', '8'];
    const folderOfTranscripts = transcripts ?? '';
    const args = [join(folderOfTranscripts, 'replay.mjs'), ...target, ...more, folderOfTranscripts];
    // The replayer exits 1 when any scenario failed; its last line counts them.
    const { stdout } = await run(process.execPath, args, { maxBuffer: 64 * 1024 * 1024, timeout: 420_000 }).catch(
      (error: { stdout: string }) => error,
    );
    const passed = Number(/(\d+) passed, \d+ failed/.exec(stdout)?.[1] ?? '0');
    console.log(`${mode}: ${stdout.trim().split('\n').at(-1) ?? ''}`);
    return passed;
  } finally {
    await sandbox.stop();
  }
}

describe.skipIf(transcripts === undefined)('the transcripts of a real API server', () => {
  it('are answered alike where nothing moves by itself', { timeout: 480_000 }, async () => {
    expect(await replay('no-controllers')).toBeGreaterThanOrEqual(FLOORS.plain);
  });

  it('are answered alike with controllers', { timeout: 480_000 }, async () => {
    expect(await replay('no-pods', '--controllers')).toBeGreaterThanOrEqual(FLOORS.controllers);
  });
});
