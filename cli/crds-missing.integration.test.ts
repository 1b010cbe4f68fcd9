import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { systemRandom } from '@/lib/random/random';
import { startSandbox } from '@/server/sandbox/sandbox';
import { main } from './main';

describe('a cluster without the CRDs', () => {
  it('CLI-008 CLI-009 is told, unless that is not wanted', async () => {
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
    let err = '';
    const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      err += String(text);
      return true;
    });
    const stdout = vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
    const before = process.exitCode;
    await main(['get', 'instances', '--kubeconfig', kubeconfig]);
    expect(err).toContain('CRDs invalid: CRD operators.kudo.dev is not installed');
    err = '';
    await main(['get', 'instances', '--kubeconfig', kubeconfig, '--validate-install=false']);
    expect(err).not.toContain('CRDs invalid');
    process.exitCode = before;
    stdout.mockRestore();
    stderr.mockRestore();
    await sandbox.stop();
  });
});
