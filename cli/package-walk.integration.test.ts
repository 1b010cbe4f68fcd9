import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import type { Instance } from '@/lib/kudo/types';
import { createNamespace, type Engine, startEngine } from '@/test/engine/https-engine';
import { type Running, startNode } from '@/test/programs/process';
import { runBravo } from '@/test/programs/run-bravo';

/** A job that fails: the third version has it in its plan. */
const MIGRATION = `apiVersion: batch/v1
kind: Job
metadata: {name: "{{ .Name }}-migrate"}
spec:
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      containers: [{name: migrate, image: "registry.example.org/migrate:1", command: [sh, -c, "exit 3"]}]
`;

const SUITE = {
  '00-install.yaml': `apiVersion: kuttl.dev/v1beta1
kind: TestStep
commands:
  - {command: kubectl kudo install ../../operator --instance shop -p REPLICA_COUNT=2, namespaced: true}
`,
  '00-assert.yaml': `apiVersion: kudo.dev/v1beta1
kind: Instance
metadata: {name: shop}
status: {planStatus: {deploy: {status: COMPLETE}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: shop-web}
status: {readyReplicas: 2}
`,
};

/** What an author and an administrator do with a Helm chart, with the command line and an editor alone. */
describe('from a chart to upgrades in waves', () => {
  let engine: Engine;
  let folder: string;
  let served: Running;
  let url: string;
  const path = (...parts: string[]) => join(folder, ...parts);
  const bravo = (...words: string[]) => runBravo(...words, '--home', path('home'));
  /** Runs a command that must not fail; what it printed, without the columns of tables. */
  const done = async (...words: string[]): Promise<string> => {
    const { out, err, code } = await bravo(...words);
    expect([code, err], `bravo ${words.join(' ')}`).toEqual([0, '']);
    return out.replace(/[ \t]+/g, ' ');
  };
  const prod = (...words: string[]) => done(...words, '-n', 'prod');
  const eventually = (what: () => Promise<void>) => vi.waitFor(what, { timeout: 60_000, interval: 100 });
  const versions = async (namespace: string) => {
    const { items } = await engine.api.list({ ...INSTANCES, namespace });
    return (items as Instance[]).map(({ spec }) => spec?.operatorVersion?.name);
  };
  /** Waits for a text in what `bravo subscriptions show web` prints. */
  const subscription = (namespace: string, text: string) =>
    eventually(async () => expect(await done('subscriptions', 'show', 'web', '-n', namespace)).toContain(text));

  beforeAll(async () => {
    engine = await startEngine({ allowLocal: true });
    for (const name of ['staging', 'prod']) await createNamespace(engine.api, name);
    folder = await mkdtemp(join(tmpdir(), 'bravo-walk-'));
    await writeFile(path('kubeconfig'), engine.sandbox.kubeconfig);
    process.env.KUBECONFIG = path('kubeconfig');
    process.env.COSIGN_PASSWORD = 'of the key';
    await cp(join(import.meta.dirname, '../test/charts/web'), path('chart'), { recursive: true });
    await mkdir(path('repo'));
    await done('init', '--client-only');
  });
  afterAll(async () => {
    delete process.env.KUBECONFIG;
    delete process.env.COSIGN_PASSWORD;
    await served?.stop();
    await engine?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Packs, signs and lists what is in the folder of the package. */
  async function publish(version: string, channels: { readonly [version: string]: string }): Promise<void> {
    await done('package', 'create', path('operator'), '-d', path('repo'), '--attest');
    await done('package', 'sign', path('repo', `web-1.27.0_${version}.tgz`), '--key', path('own.key'));
    await list(channels);
  }

  async function list(channels: { readonly [version: string]: string }): Promise<void> {
    const entries = Object.entries(channels).map(
      ([version, names]) => `  - {operatorVersion: ${version}, appVersion: 1.27.0, channels: [${names}]}\n`,
    );
    await writeFile(path('releases.yaml'), `entries:\n  web:\n${entries.join('')}`);
    await done('repo', 'index', path('repo'), '--url', url, '--releases', path('releases.yaml'), '-w');
  }

  async function edit(file: string, change: (text: string) => string): Promise<void> {
    const before = await readFile(path(file), 'utf8');
    const after = change(before);
    expect(after, file).not.toBe(before);
    await writeFile(path(file), after);
  }

  it('a chart becomes a package that verifies, and passes its tests in a sandbox', async () => {
    const made = await done('package', 'from-chart', path('chart'), '-o', path('operator'));
    expect(made).toContain('Package written');
    expect(await done('package', 'verify', path('operator'))).toBe('package is valid\n');
    await mkdir(path('tests/install'), { recursive: true });
    for (const [name, text] of Object.entries(SUITE)) await writeFile(path('tests/install', name), text);
    expect(await done('test', path('tests'), '--sandbox', '--artifacts-dir', folder)).toContain('1 passed, 0 failed');
  });

  it('it is packed, signed and served, and installed from there three times', async () => {
    served = startNode(['bin/bravo', 'repo', 'serve', path('repo'), '--port', '0']);
    url = /at (http:\S+)\. Add/.exec(await served.printed('Add it with'))?.[1] ?? '';
    await done('package', 'keys', '--prefix', path('own'));
    await publish('1.4.2', { '1.4.2': 'stable' });
    await done('repo', 'add', 'lab', url, '--require-signature', '--key', path('own.pub'));
    for (const [namespace, name] of [
      ['staging', 'one'],
      ['prod', 'one'],
      ['prod', 'two'],
    ] as const)
      await done('install', 'web', '--repo', 'lab', '--instance', name, '-n', namespace, '--wait');
    expect(await prod('get', 'instances')).toContain('two');
  });

  it('a candidate upgrades staging by itself; promoted to stable, it is approved and upgrades production in waves', async () => {
    for (const [namespace, channel, ...words] of [
      ['staging', 'candidate', '--automatic'],
      ['prod', 'stable', '--roll-back-wave'],
    ] as const) {
      const follows = ['--operator', 'web', '--repository', 'lab', '--channel', channel, ...words];
      await done('subscriptions', 'create', 'web', ...follows, '-n', namespace);
    }
    await subscription('prod', 'web-1.27.0-1.4.2 2');

    await edit('chart/Chart.yaml', (text) => text.replace('version: 1.4.2', 'version: 1.5.0'));
    await edit('chart/values.yaml', (text) => text.replace('replicaCount: 1', 'replicaCount: 2'));
    await done('package', 'from-chart', path('chart'), '-o', path('operator'), '-w');
    await publish('1.5.0', { '1.4.2': 'stable', '1.5.0': 'candidate' });
    await done('subscriptions', 'check', 'web', '-n', 'staging');
    await done('subscriptions', 'check', 'web', '-n', 'prod');
    await eventually(async () => expect(await versions('staging')).toEqual(['web-1.27.0-1.5.0']));
    expect(await versions('prod')).toEqual(['web-1.27.0-1.4.2', 'web-1.27.0-1.4.2']);

    await list({ '1.4.2': 'stable', '1.5.0': 'stable, candidate' });
    await done('subscriptions', 'check', 'web', '-n', 'prod');
    await subscription('prod', 'Held by: Version web-1.27.0-1.5.0 waits for an approval.');
    expect(await prod('upgrades', 'plan', 'one', '--repo', 'lab')).toMatch(/REPLICA_COUNT changed 1 1 2/);
    await prod('subscriptions', 'approve', 'web');
    await eventually(async () => expect(await prod('upgrades', 'list')).toContain('All 2 Instances are upgraded.'));
    expect(await versions('prod')).toEqual(['web-1.27.0-1.5.0', 'web-1.27.0-1.5.0']);
  });

  it('a version whose plan fails pauses after its wave, which goes back', async () => {
    const before = process.cwd();
    process.chdir(path('operator'));
    await done('package', 'add', 'task', 'migrate', '--resources', 'migrate.yaml');
    const steps = ['--step', 'main/migrate=migrate', '--step', 'main/workloads=workloads'];
    await done('package', 'add', 'plan', 'upgrade', ...steps);
    process.chdir(before);
    await writeFile(path('operator/templates/migrate.yaml'), MIGRATION);
    await edit('operator/operator.yaml', (text) => text.replace('operatorVersion: 1.5.0', 'operatorVersion: 1.6.0'));
    await publish('1.6.0', { '1.4.2': 'stable', '1.5.0': 'stable', '1.6.0': 'stable' });
    await prod('subscriptions', 'check', 'web');
    await subscription('prod', 'Version web-1.27.0-1.6.0 waits for an approval.');
    await prod('subscriptions', 'approve', 'web');
    await eventually(async () => expect(await prod('upgrades', 'list')).toContain('Paused'));
    const [, name = ''] = /prod (\S+) web Paused/.exec(await prod('upgrades', 'list')) ?? [];
    const shown = await prod('upgrades', 'show', name);
    expect(shown).toMatch(/Message: Wave 1 went back. Instance one: .*Job one-migrate: .*exit code 3/);
    expect(shown).toContain('1 one RolledBack web-1.27.0-1.5.0');
    expect(shown).toContain('2 two Waiting');
    expect(await versions('prod')).toEqual(['web-1.27.0-1.5.0', 'web-1.27.0-1.5.0']);
  });
});
