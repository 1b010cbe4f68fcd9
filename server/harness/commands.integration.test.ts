import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bench, errorsOf, startBench } from './bench-fixture';
import { kubeconfigOf } from './step-commands';

let bench: Bench;

beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.stop());

const STEP = 'apiVersion: kuttl.dev/v1beta1\nkind: TestStep\n';
const step = (...commands: string[]) => `${STEP}commands:\n${commands.map((one) => `- ${one}\n`).join('')}`;
/** A zombie that nobody has waited for yet does not run. */
const isRunning = (pid: number) =>
  existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

describe('commands of steps and suites', () => {
  it('HAR-055: what cannot be a command fails the step', async () => {
    const both = await bench.run({ 'case/0-a.yaml': step('{command: a, script: b}') });
    expect(errorsOf(both)[1]).toBe('command and script can not be set in the same configuration');
    const namespaced = await bench.run({ 'case/0-a.yaml': step('{script: b, namespaced: true}') });
    expect(errorsOf(namespaced)[1]).toContain("script can not used 'namespaced'");
  });

  it('HAR-056: output is logged, and the environment says where the case is', async () => {
    const run = await bench.run({
      'case/0-a.yaml': step(
        `command: echo 'hello'`,
        'script: echo "$NAMESPACE $KUBECONFIG"; pwd; echo "$PATH"',
        '{command: echo, namespaced: true}',
      ),
    });
    expect(errorsOf(run)).toEqual([]);
    expect(run.log).toContain('case/0-a | hello');
    expect(run.log.some((line) => /\| kuttl-\S+ \/\S+\/kubeconfig$/.test(line))).toBe(true);
    expect(run.log).toContain(`case/0-a | ${join(run.folder, 'case')}`);
    expect(run.log.some((line) => line.startsWith(`case/0-a | ${run.folder}/bin/:`))).toBe(true);
    expect(run.log.some((line) => /\| --namespace kuttl-/.test(line))).toBe(true);
  });

  it('HAR-057: a suite’s background command ends with the suite', async () => {
    const pidFile = join(bench.root, 'suite.pid');
    const background = { command: '', script: `echo $$ > ${pidFile}; exec sleep 100`, namespaced: false };
    const command = { ...background, ignoreFailure: false, background: true, skipLogOutput: false, timeout: 0 };
    const run = await bench.run(
      { 'case/0-a.yaml': step(`script: until test -s ${pidFile}; do sleep 0.05; done; kill -0 $(cat ${pidFile})`) },
      { set: { commands: [command] } },
    );
    expect(errorsOf(run)).toEqual([]);
    expect(isRunning(Number(readFileSync(pidFile, 'utf8')))).toBe(false);
  });

  it('HAR-058: a command that takes too long is killed with what it started', async () => {
    const pidFile = join(bench.root, 'slow.pid');
    const slow = await bench.run({
      'case/0-a.yaml': step(`{script: 'sleep 42 & echo $! > ${pidFile}; wait', timeout: 1}`),
    });
    expect(errorsOf(slow)[1]).toMatch(/exceeded 1 sec timeout, context deadline exceeded$/);
    expect(isRunning(Number(readFileSync(pidFile, 'utf8')))).toBe(false);
    const suite = await bench.run({ 'case/0-a.yaml': step('command: sleep 42') }, { set: { timeout: 1 } });
    expect(errorsOf(suite)[1]).toContain('exceeded 1 sec timeout');
    expect(slow.seconds + suite.seconds).toBeLessThan(10);
  });

  it('HAR-059: ignoreFailure ignores an exit status, not a program that is missing', async () => {
    const ignored = await bench.run({ 'case/0-a.yaml': step('{command: "false", ignoreFailure: true}') });
    expect(errorsOf(ignored)).toEqual([]);
    const failed = await bench.run({ 'case/0-a.yaml': step('command: "false"') });
    expect(errorsOf(failed)[1]).toBe('command "false" failed, exit status 1');
    const missing = await bench.run({ 'case/0-a.yaml': step('{command: no-such-program, ignoreFailure: true}') });
    expect(errorsOf(missing)[1]).toContain('exec: "no-such-program": executable file not found in $PATH');
  });

  it('HAR-060: skipLogOutput logs nothing of the output', async () => {
    const run = await bench.run({ 'case/0-a.yaml': step('{script: echo he""llo, skipLogOutput: true}') });
    expect(run.log.some((line) => line.includes('hello'))).toBe(false);
  });

  it('HAR-061: a step’s background command runs until its case ends', async () => {
    const pidFile = join(bench.root, 'step.pid');
    const alive = `until test -s ${pidFile}; do sleep 0.05; done; kill -0 $(cat ${pidFile})`;
    const run = await bench.run({
      'case/0-a.yaml': step(`{script: 'echo $$ > ${pidFile}; exec sleep 100', background: true}`),
      'case/1-b.yaml': step(`script: ${alive}`),
    });
    expect(errorsOf(run)).toEqual([]);
    expect(isRunning(Number(readFileSync(pidFile, 'utf8')))).toBe(false);
  });

  it('HAR-062: a kubeconfig of a step begins at the case, an absolute one stays, variables are expanded', () => {
    const environment = { HOME: '/home/me' };
    expect(kubeconfigOf('sub/config', '/suite/case', environment)).toBe('/suite/case/sub/config');
    expect(kubeconfigOf('/etc/config', '/suite/case', environment)).toBe('/etc/config');
    expect(kubeconfigOf('$HOME/config', '/suite/case', environment)).toBe('/home/me/config');
  });

  it('commands of a TestAssert are checks, again each round', async () => {
    const assert = 'apiVersion: kuttl.dev/v1beta1\nkind: TestAssert\n';
    const count = join(bench.root, 'count');
    const run = await bench.run({
      'case/0-assert.yaml': `${assert}timeout: 20\ncommands:\n- script: echo x >> ${count}; test $(wc -l < ${count}) = 3\n`,
      'case/1-assert.yaml': `${assert}timeout: 1\ncommands:\n- command: "false"\n`,
    });
    expect(errorsOf(run)).toEqual(['failed in step 1-', 'command "false" failed, exit status 1']);
  });

  it('time leaps while a case waits, and passes as on the machine while a program runs', async () => {
    const startedMs = performance.now();
    const run = await bench.run({
      'case/0-a.yaml': step('command: sleep 0.3'),
      'case/0-assert.yaml':
        'apiVersion: kuttl.dev/v1beta1\nkind: TestAssert\ntimeout: 600\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: absent}\n',
    });
    expect(run.seconds).toBeGreaterThan(600);
    expect(run.seconds).toBeLessThan(610);
    expect(performance.now() - startedMs).toBeLessThan(60_000);
  });
});
