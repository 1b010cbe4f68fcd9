import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/**
 * Scenarios that are answered otherwise, and why; any other that fails is a step back, and one of these that passes is
 * taken off the list. With or without kubectl on the PATH.
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
 * What holds only when nothing else asks, and so runs before the rest, one at a time.
 *
 * - `k-get-watch-events` gives a `kubectl get --watch-only` 1.5 s of wall time to begin, which a busy machine may not
 *   keep: the object is then made before the watch and is rightly not in it.
 * - `aggregated-etag` says itself that discovery must not change between its two steps; other scenarios make CRDs.
 */
const ALONE = 'k-get-watch-events|aggregated-etag';

const TOKENS = 'A,admin,admin-uid,"system:masters"\nB,alice,alice-uid,"dev"\n';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bravo-golden-'));
  writeFileSync(join(folder, 'tokens.csv'), TOKENS);
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
    const from = transcripts ?? '';
    const results = join(folder, `${mode}.json`);
    const args = [join(from, 'replay.mjs'), ...target, '--json', results, ...more, from];
    // The replayer exits 1 when any scenario failed, and writes down which.
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

describe.skipIf(transcripts === undefined)('the transcripts of a real API server', () => {
  it('are answered alike when nothing else asks', { timeout: 60_000 }, async () => {
    expect(await replay('no-controllers', '--jobs', '1', '--only', ALONE)).toEqual([]);
  });

  it('are answered alike where nothing moves by itself', { timeout: 480_000 }, async () => {
    expect(await replay('no-controllers', '--only', `^(?!.*(?:${ALONE}))`)).toEqual(EXCEPTIONS.plain);
  });

  it('are answered alike with controllers', { timeout: 480_000 }, async () => {
    expect(await replay('no-pods', '--controllers')).toEqual(EXCEPTIONS.controllers);
  });
});
