import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { systemRandom } from '@/lib/random/random';
import { startSandbox } from '@/server/sandbox/sandbox';
import { runBravo } from '@/test/programs/run-bravo';

describe('a cluster without the CRDs', () => {
  it('CLI-008 CLI-009 CLI-083 is reported, unless the check is switched off', async () => {
    const sandbox = await startSandbox({
      port: 0,
      mode: 'no-controllers',
      podDelayMs: 0,
      clock: systemClock,
      random: systemRandom,
    });
    const folder = await mkdtemp(join(tmpdir(), 'bravo-verbs-'));
    const kubeconfig = join(folder, 'kubeconfig');
    await writeFile(kubeconfig, sandbox.kubeconfig);
    const words = ['get', 'instances', '--kubeconfig', kubeconfig];
    const { out, err } = await runBravo(...words);
    expect(err).toContain('CRDs invalid: CRD operators.kudo.dev is not installed');
    expect(out).toBe('KUDO CRDs are not served in the expected version.\n');
    const unasked = await runBravo(...words, '--validate-install=false');
    expect(unasked.err).toContain('Error: failed to retrieve objects: ');
    expect(unasked.err).not.toContain('CRDs invalid');
    // There is neither KUDO's namespace nor a controller.
    const collect = ['diagnostics', 'collect', '--instance', 'one', '-O', join(folder, 'diag')];
    const lost = await runBravo(...collect, '--kubeconfig', kubeconfig, '--validate-install=false');
    expect([lost.code, lost.err]).toEqual([255, expect.stringContaining('kudo system namespace not found')]);
    await sandbox.stop();
  });
});
