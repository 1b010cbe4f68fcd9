import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { sharedPath } from '@/test/golden/shared-path';
import { projectRoot, type Running, startNode, startProgram } from '@/test/programs/process';
import { runBravo } from '@/test/programs/run-bravo';

const runner = sharedPath('kuttl/runner/kuttl-run.mjs');
const running: Running[] = [];

afterEach(async () => {
  for (const each of running.splice(0).reverse()) await each.stop();
});

/** Starts a bare sandbox and a controller as processes; returns the path of the kubeconfig. */
async function startCluster(flags: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bravo-kuttl-'));
  const tokens = join(folder, 'tokens.csv');
  await writeFile(tokens, 'token,admin,1,"system:masters"\n');
  const kubeconfig = join(folder, 'kubeconfig');
  const bravo = join(projectRoot, 'bin/bravo');
  const parts = ['--data-dir', join(folder, 'data'), '--token-auth-file', tokens, '--write-kubeconfig', kubeconfig];
  const sandbox = startNode([bravo, 'sandbox', '--port', '0', ...parts, ...flags]);
  running.push(sandbox);
  await sandbox.printed('The sandbox serves', 60_000);
  const controller = startNode([bravo, 'controller', '--install-crds'], { KUBECONFIG: kubeconfig });
  running.push(controller);
  await controller.printed('lease.held', 60_000);
  return kubeconfig;
}

/** Runs a suite; returns the last line and the whole output. */
async function runSuite(suite: string, kubeconfig: string): Promise<{ last: string; output: string }> {
  const words = [
    '--kubeconfig',
    kubeconfig,
    '--kudo-bin',
    join(projectRoot, 'bin/bravo'),
    '--scratch',
    '--parallel',
    '4',
  ];
  const program = startProgram(process.execPath, [runner ?? '', ...words, suite], {
    OPERATORS: sharedPath('operators') ?? '',
  });
  await program.exited();
  const lines = program.output().trimEnd().split('\n');
  return { last: lines.at(-1) ?? '', output: program.output() };
}

describe.skipIf(runner === undefined)('the suites that KUDO itself passes (needs ../shared)', () => {
  it.each([
    ['integration.yaml', ['--no-pods'], 9],
    ['e2e.yaml', ['--pod-delay', '3'], 3],
    ['operators.yaml', ['--pod-delay', '1'], 4],
  ] as const)('%s passes completely', async (suite, flags, cases) => {
    const { last, output } = await runSuite(sharedPath(`kuttl/${suite}`) ?? '', await startCluster(flags));
    expect(last, output).toBe(`${cases} passed, 0 failed`);
  });

  it('the suite of a new package passes', async () => {
    const home = process.cwd();
    const folder = await mkdtemp(join(tmpdir(), 'bravo-new-'));
    process.chdir(folder);
    try {
      await runBravo('package', 'new', 'newop');
    } finally {
      process.chdir(home);
    }
    const { last, output } = await runSuite(join(folder, 'operator/kudo-test.yaml'), await startCluster([]));
    expect(last, output).toBe('1 passed, 0 failed');
  });
});
