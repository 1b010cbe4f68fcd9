import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { systemRandom } from '@/lib/random/random';
import { startSandbox } from '@/server/sandbox/sandbox';
import { unpackGolden } from '@/test/golden/golden-files';

const run = promisify(execFile);

/**
 * Scenarios that the sandbox answers differently, and why. Any other failure is a regression; a scenario of this list that passes must
 * be removed from it. The list is the same with and without kubectl on the PATH.
 *
 * - `ctl-deploy-deadline`: a message holds the hash that Kubernetes computes over a Go dump of the pod template; ours is
 *   another function of the same template, and equal templates have equal hashes.
 * - `crd-bad-cel-…`: the sandbox does not estimate what a CEL rule may cost (server/sandbox/README.md).
 * - `schema-duplicate-fields`, `fv-duplicate`: a JSON member that comes twice counts once, without a warning.
 * - `secret-types`, `k-warnings`, `invalid-container-env`: the sandbox does not warn of pods and certificates that are valid but odd.
 * - `schema-embedded`: metadata of a resource inside of another one (`x-kubernetes-embedded-resource`) is not validated.
 */
const EXCEPTIONS = {
  plain: [
    'schema-duplicate-fields',
    'schema-embedded',
    'crd-bad-cel-cost',
    'crd-bad-cel-message-cost',
    'crd-bad-cel-oldself-atomic',
    'fv-duplicate',
    'secret-types',
    'k-warnings',
    'invalid-container-env',
  ],
  controllers: ['ctl-deploy-deadline'],
};

/**
 * Scenarios that need a server without other requests; they run before the rest, one at a time.
 *
 * - `k-get-watch-events` gives a `kubectl get --watch-only` 1.5 s of wall time to start, which may be too short on a busy
 *   machine: the object is then created before the watch and is rightly not in it.
 * - `aggregated-etag` needs discovery to stay the same between its two steps; other scenarios create CRDs.
 */
const ALONE = 'k-get-watch-events|aggregated-etag';

const TOKENS = 'A,admin,admin-uid,"system:masters"\nB,alice,alice-uid,"dev"\n';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bravo-golden-'));
  writeFileSync(join(folder, 'tokens.csv'), TOKENS);
  unpackGolden('api', join(folder, 'api'));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function replay(mode: 'no-controllers' | 'no-pods', ...more: readonly string[]): Promise<string[]> {
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
    const from = join(folder, 'api');
    const results = join(folder, `${mode}.json`);
    const args = [join(from, 'replay.mjs'), ...target, '--json', results, ...more, from];
    // The replayer exits with 1 when any scenario failed, and writes the list to the file.
    const { stdout } = await run(process.execPath, args, { maxBuffer: 64 * 1024 * 1024, timeout: 420_000 }).catch(
      (error: { stdout: string }) => error,
    );
    console.log(`${mode}: ${stdout.trim().split('\n').at(-1) ?? ''}`);
    const { cases } = JSON.parse(readFileSync(results, 'utf8')) as { cases: { id: string; ok: boolean }[] };
    return cases.filter(({ ok }) => !ok).map(({ id }) => id);
  } finally {
    await sandbox.stop();
  }
}

describe('the transcripts of a real API server', () => {
  it('are answered alike without other requests', { timeout: 60_000 }, async () => {
    expect(await replay('no-controllers', '--jobs', '1', '--only', ALONE)).toEqual([]);
  });

  it('are answered alike without controllers', { timeout: 480_000 }, async () => {
    expect(await replay('no-controllers', '--only', `^(?!.*(?:${ALONE}))`)).toEqual(EXCEPTIONS.plain);
  });

  it('are answered alike with controllers', { timeout: 480_000 }, async () => {
    expect(await replay('no-pods', '--controllers')).toEqual(EXCEPTIONS.controllers);
  });
});
