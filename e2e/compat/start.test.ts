import { existsSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort, type Running, startNode, startProgram, stopAll, temporaryFolder } from '@/test/programs/process';

const START = ['scripts/start.mjs'];
const ROUTES = ['/', '/instances', '/operators', '/install', '/resources'];

interface Settings {
  readonly PORT: string;
  readonly BRAVO_SANDBOX_PORT: string;
  readonly BRAVO_DATA: string;
  readonly BRAVO_POD_DELAY: string;
}

async function freshSettings(): Promise<Settings> {
  return {
    PORT: String(await freePort()),
    BRAVO_SANDBOX_PORT: String(await freePort()),
    BRAVO_DATA: temporaryFolder('start'),
    BRAVO_POD_DELAY: '0',
  };
}

const base = (settings: Settings) => `http://127.0.0.1:${settings.PORT}`;
const startBravo = (settings: Settings, more: { [name: string]: string } = {}) =>
  startNode(START, { ...settings, ...more });

const reachable = (settings: Settings) =>
  fetch(`${base(settings)}/api/health`).then(
    () => true,
    () => false,
  );

/** `fetch` does not send a chosen Host header. */
function statusWithHost(settings: Settings, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ port: settings.PORT, host: '127.0.0.1', path: '/', headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

describe('npm start', () => {
  let settings: Settings;
  let running: Running;

  beforeAll(async () => {
    settings = await freshSettings();
    running = startBravo(settings);
    await running.printed('Bravo is ready', 180_000);
  });

  afterAll(stopAll);

  it('prints the ready line last', () => {
    expect(running.output().trimEnd().split('\n').at(-1)).toBe(`Bravo is ready: ${base(settings)}`);
  });

  it.each(ROUTES)('answers %s with 200 without sign-in', async (route) => {
    expect((await fetch(base(settings) + route)).status).toBe(200);
  });

  it('holds the three instances of the namespace demo', async () => {
    const response = await fetch(`${base(settings)}/api/kube/apis/kudo.dev/v1beta1/namespaces/demo/instances`);
    const { items } = (await response.json()) as { items: { metadata: { name: string } }[] };
    expect(items.map(({ metadata }) => metadata.name).sort()).toEqual(['etcd', 'hello', 'postgres']);
  });

  it('writes a kubeconfig that only its owner can read', () => {
    expect(statSync(join(settings.BRAVO_DATA, 'kubeconfig')).mode & 0o777).toBe(0o600);
  });

  it('refuses a host name that DNS rebinding could use', async () => {
    expect(await statusWithHost(settings, `evil.example:${settings.PORT}`)).toBe(421);
  });

  it('says that a port is in use, in one sentence', async () => {
    const second = startBravo(settings);
    expect((await second.exited()).code).toBe(1);
    expect(second.output()).toContain(`Port ${settings.PORT} of 127.0.0.1 is in use`);
  });

  it('says that the data folder is in use, in one sentence', async () => {
    const other = await freshSettings();
    const second = startBravo({ ...other, BRAVO_DATA: settings.BRAVO_DATA });
    expect((await second.exited()).code).not.toBe(0);
    expect(second.output()).toContain(settings.BRAVO_DATA);
    expect(second.output()).not.toMatch(/\n\s+at /);
  });

  it('exits within 10 s after SIGTERM while a stream is open, frees its ports, and starts again with the same state', async () => {
    const stream = await fetch(`${base(settings)}/api/live?topic=kudo.dev/v1beta1/instances`);
    const { code, afterMs } = await running.stop();
    expect(code).toBe(0);
    expect(afterMs).toBeLessThan(10_000);
    await stream.body?.cancel().catch(() => {});
    const again = startBravo(settings);
    await again.printed('Bravo is ready', 30_000);
    const response = await fetch(`${base(settings)}/api/kube/apis/kudo.dev/v1beta1/namespaces/demo/instances`);
    expect(((await response.json()) as { items: unknown[] }).items).toHaveLength(3);
    expect((await again.stop()).code).toBe(0);
  });
});

describe('npm start as npm runs it', () => {
  afterEach(stopAll);

  it('ends every part when npm receives SIGTERM', async () => {
    const settings = await freshSettings();
    const npm = startProgram('npm', ['start'], { ...settings });
    await npm.printed('Bravo is ready', 180_000);
    npm.child.kill('SIGTERM');
    await expect.poll(() => reachable(settings), { timeout: 10_000 }).toBe(false);
  });
});

describe('npm start with a kubeconfig', () => {
  afterEach(stopAll);

  it('prints cluster and context first and writes nothing by itself', async () => {
    const settings = await freshSettings();
    const kubeconfig = await startCluster(settings);
    const running = startBravo(settings, { KUBECONFIG: kubeconfig });
    const output = await running.printed('Bravo is ready');
    expect(output).toMatch(/Cluster: \S+, context \S+, https:/);
    expect(output).toContain('Controller: off');
    const crds = await fetch(`${base(settings)}/api/kube/apis/apiextensions.k8s.io/v1/customresourcedefinitions`);
    expect(((await crds.json()) as { items: unknown[] }).items).toEqual([]);
    expect((await fetch(`${base(settings)}/instances`)).status).toBe(200);
    expect((await running.stop()).code).toBe(0);
  });

  it('writes the CRDs and nothing else when asked, and never runs a controller that nobody asked for', async () => {
    const settings = await freshSettings();
    const kubeconfig = await startCluster(settings);
    const first = startBravo(settings, { KUBECONFIG: kubeconfig });
    await first.printed('Bravo is ready');
    expect((await post(settings, '/api/packages/crds', {})).status).toBe(200);
    expect((await first.stop()).code).toBe(0);
    const second = startBravo(settings, { KUBECONFIG: kubeconfig });
    expect(await second.printed('Bravo is ready')).toContain('Controller: off');
    const offer = (await (await fetch(`${base(settings)}/api/controller`)).json()) as { writes: { kind: string }[] };
    expect(offer).toMatchObject({ setting: 'auto', state: 'off' });
    expect(offer.writes.map(({ kind }) => kind)).toEqual([
      'Lease',
      'Secret',
      'Secret',
      'ConfigMap',
      'MutatingWebhookConfiguration',
    ]);
    for (const list of CONTROLLER_LISTS) expect(await countOf(settings, list)).toBe(0);
    expect((await second.stop()).code).toBe(0);
  });

  it('runs plans once a person has asked for the controller, and writes what it said', async () => {
    const settings = await freshSettings();
    const kubeconfig = await startCluster(settings);
    const running = startBravo(settings, { KUBECONFIG: kubeconfig });
    await running.printed('Bravo is ready');
    expect((await post(settings, '/api/packages/crds', { controller: true })).status).toBe(200);
    const words = ['hello', '--instance', 'one', '--wait', '--kubeconfig', kubeconfig];
    const install = startNode(['bin/bravo', 'install', ...words]);
    expect((await install.exited()).code, install.output()).toBe(0);
    for (const list of CONTROLLER_LISTS) expect(await countOf(settings, list)).toBe(1);
    expect((await running.stop()).code).toBe(0);
  });

  it('refuses to start a controller with BRAVO_CONTROLLER=off', async () => {
    const settings = await freshSettings();
    const kubeconfig = await startCluster(settings);
    const running = startBravo(settings, { KUBECONFIG: kubeconfig, BRAVO_CONTROLLER: 'off' });
    await running.printed('Bravo is ready');
    const asked = await post(settings, '/api/controller', {});
    expect([asked.status, await asked.text()]).toEqual([409, expect.stringContaining('BRAVO_CONTROLLER=off')]);
    expect((await running.stop()).code).toBe(0);
  });

  it('says in one sentence that a cluster cannot be reached', async () => {
    const settings = await freshSettings();
    const kubeconfig = join(settings.BRAVO_DATA, 'gone.kubeconfig');
    const { writeFileSync } = await import('node:fs');
    writeFileSync(kubeconfig, kubeconfigOf(`https://127.0.0.1:${await freePort()}`));
    const running = startBravo(settings, { KUBECONFIG: kubeconfig });
    expect((await running.exited()).code).toBe(1);
    expect(running.output()).toContain('The cluster gone at https://127.0.0.1');
    expect(running.output()).not.toMatch(/\n\s+at /);
  });
});

/** What a controller writes before any plan runs. */
const CONTROLLER_LISTS = [
  'coordination.k8s.io/v1/namespaces/default/leases',
  'admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
];

function post(settings: Settings, path: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json', origin: base(settings) };
  return fetch(base(settings) + path, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function countOf(settings: Settings, list: string): Promise<number> {
  const response = await fetch(`${base(settings)}/api/kube/apis/${list}`);
  return ((await response.json()) as { items: unknown[] }).items.length;
}

/** A cluster as a process of its own; the path of its kubeconfig. */
async function startCluster(settings: Settings): Promise<string> {
  const kubeconfig = join(settings.BRAVO_DATA, 'cluster.kubeconfig');
  const words = ['--port', settings.BRAVO_SANDBOX_PORT, '--data-dir', temporaryFolder('cluster'), '--pod-delay', '0'];
  const cluster = startNode(['bin/bravo', 'sandbox', ...words, '--write-kubeconfig', kubeconfig]);
  await waitForFile(kubeconfig, cluster);
  return kubeconfig;
}

async function waitForFile(path: string, owner: Running): Promise<void> {
  while (!existsSync(path)) {
    if (owner.child.exitCode !== null) throw new Error(`The cluster ended: ${owner.output()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function kubeconfigOf(server: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'gone',
    clusters: [{ name: 'gone', cluster: { server } }],
    contexts: [{ name: 'gone', context: { cluster: 'gone', user: 'me' } }],
    users: [{ name: 'me', user: { token: 'none' } }],
  });
}
