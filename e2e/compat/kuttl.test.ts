import { readdirSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { sharedPath } from '@/test/golden/shared-path';
import { projectRoot, type Running, startNode } from '@/test/programs/process';
import { runBravo } from '@/test/programs/run-bravo';

const suites = sharedPath('kuttl');
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

/** Runs `bravo test`; returns its last line and the whole output. */
async function runSuites(
  words: readonly string[],
  environment: { readonly [name: string]: string } = {},
): Promise<{ last: string; output: string }> {
  const program = startNode([join(projectRoot, 'bin/bravo'), 'test', '--parallel', '4', ...words], {
    OPERATORS: sharedPath('operators') ?? '',
    ...environment,
  });
  running.push(program);
  await program.exited();
  return { last: program.output().trimEnd().split('\n').at(-1) ?? '', output: program.output() };
}

describe.skipIf(suites === undefined)('the suites that KUDO itself passes (needs ../shared)', () => {
  const file = (name: string) => join(suites ?? '', name);

  it.each([
    ['integration.yaml', ['--no-pods'], 9],
    ['e2e.yaml', [], 3],
    ['operators.yaml', ['--pod-delay', '1'], 4],
  ] as const)('%s passes in a sandbox of its own', async (suite, flags, cases) => {
    const { last, output } = await runSuites(['--sandbox', ...flags, file(suite)]);
    expect(last, output).toBe(`${cases} passed, 0 failed`);
  });

  it.each([
    ['integration.yaml', ['--no-pods'], 9],
    ['operators.yaml', ['--pod-delay', '1'], 4],
  ] as const)('%s passes in a cluster of other processes', async (suite, flags, cases) => {
    const { last, output } = await runSuites([file(suite)], { KUBECONFIG: await startCluster(flags) });
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
    const { last, output } = await runSuites(['--sandbox', join(folder, 'operator/kudo-test.yaml')]);
    expect(last, output).toBe('1 passed, 0 failed');
  });
});

it('the suites of the bundled operators pass', async () => {
  const folders = readdirSync(join(projectRoot, 'operators')).map((name) => join('operators', name, 'tests'));
  const { last, output } = await runSuites(['--sandbox', '--suppress-log', 'events', '--timeout', '120', ...folders]);
  expect(last, output).toBe(`${folders.length} passed, 0 failed`);
});
