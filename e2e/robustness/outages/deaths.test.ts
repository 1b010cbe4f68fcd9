import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { loadCluster } from '@/server/kube/credentials';
import { type ClosableApi, createApi } from '@/server/kube/http-api';
import { installCrds } from '@/server/kube/install-crds';
import { createInstance, createNamespace, eventually, getInstance, patchInstance } from '@/test/engine/https-engine';
import { freePort, projectRoot, type Running, startNode, startProgram, temporaryFolder } from '@/test/programs/process';
import { allSubjects } from '../crash/subjects';

const WITHIN_MS = 90_000;
const CONFIG_MAPS = { group: '', version: 'v1', resource: 'configmaps' } as const;

/** Kinds of bugs; SIGUSR2 triggers each inside the process. */
const BUGS = {
  'a timer throws': 'setTimeout(() => { throw new Error("injected"); }, 0)',
  'a promise is rejected without a handler': 'Promise.reject(new Error("injected"))',
  'an event handler throws': 'new EventTarget(); process.nextTick(() => { throw new Error("injected"); })',
} as const;

describe('processes that die', () => {
  const folder = temporaryFolder('deaths');
  const kubeconfig = join(folder, 'kubeconfig');
  let cli: string;
  let port: number;
  let sandbox: Running;
  let controller: Running;
  let api: ClosableApi;

  const startSandbox = async () => {
    const args = ['--port', String(port), '--data-dir', join(folder, 'data'), '--write-kubeconfig', kubeconfig];
    sandbox = startNode(['bin/bravo', 'sandbox', '--pod-delay', '0', ...args]);
    await sandbox.printed('The sandbox serves', WITHIN_MS);
  };
  const startController = async () => {
    const on = `const bugs = ${JSON.stringify(Object.values(BUGS))};
      process.on('SIGUSR2', () => { eval(bugs[Number(process.env.BUG ?? 0)]); });`;
    const code = `${on} const { main } = await import(${JSON.stringify(cli)});
      await main(['controller', '--kubeconfig', ${JSON.stringify(kubeconfig)}, '--lease-duration', '2']);`;
    controller = startProgram(process.execPath, ['--input-type=module', '-e', code], { BUG: String(bug) });
    await controller.printed('lease.held', WITHIN_MS);
  };
  let bug = 0;
  const statusOf = async (namespace: string) => (await getInstance(api, namespace, 'app'))?.status?.planStatus?.deploy;
  const isComplete = (namespace: string, notUid?: string) =>
    eventually(
      `the plan in ${namespace} is complete`,
      async () => {
        const status = await statusOf(namespace).catch(() => undefined);
        return status?.status === 'COMPLETE' && status.uid !== notUid ? status : undefined;
      },
      WITHIN_MS,
    ).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${controller.output().slice(-3_000)}`);
    });
  const install = async (namespace: string) => {
    const subject = allSubjects().find(({ name }) => name === 'steps');
    await createNamespace(api, namespace);
    const [version = ''] = (await subject?.prepare(api, namespace)) ?? [];
    await createInstance(api, namespace, 'app', version);
  };
  const kill = async (running: Running) => {
    running.child.kill('SIGKILL');
    await running.exited();
  };

  beforeAll(async () => {
    const { ensureServerBundle } = await import(join(projectRoot, 'scripts/bundle.mjs'));
    cli = join(await ensureServerBundle(), 'cli.mjs');
    port = await freePort();
    await startSandbox();
    api = createApi(loadCluster({ kubeconfigPath: kubeconfig }), { clock: systemClock });
    await installCrds(api, systemClock);
    await startController();
  }, WITHIN_MS);
  afterAll(async () => {
    await kill(controller);
    await kill(sandbox);
    await api?.close();
  });

  it('the sandbox is killed in the middle of a plan and started again: the same run ends with every object', async () => {
    const done = new Set<string>();
    await install('midway');
    for await (const { object } of api.watch({ ...CONFIG_MAPS, namespace: 'midway' }, { resourceVersion: '1' })) {
      done.add(object.metadata.name ?? '');
      if (done.size === 5) break;
    }
    const uid = (await statusOf('midway'))?.uid;
    await kill(sandbox);
    await startSandbox();
    const status = await isComplete('midway');
    expect(status.uid).toBe(uid);
    const { items } = await api.list({ ...CONFIG_MAPS, namespace: 'midway' });
    expect(items.filter(({ metadata }) => metadata.name?.startsWith('app-s')).length).toBe(12);
    expect(status.phases?.[0]?.steps?.every((step) => step.status === 'COMPLETE')).toBe(true);
  }, 120_000);

  it('the sandbox is down until the lease is lost: the controller acquires the lease again and works', async () => {
    const before = (await statusOf('midway'))?.uid;
    const lost = () => controller.output().split('lease.lost').length;
    const lostBefore = lost();
    await kill(sandbox);
    await eventually('the controller steps down', async () => lost() > lostBefore, WITHIN_MS);
    await startSandbox();
    await patchInstance(api, 'midway', 'app', { parameters: { VALUE: 'two' } });
    await isComplete('midway', before);
    expect(controller.child.exitCode).toBeNull();
  }, 120_000);

  for (const [index, what] of Object.keys(BUGS).entries()) {
    it(`C36: ${what}: the controller exits with the error message, and the next one continues at once`, async () => {
      await kill(controller);
      bug = index;
      await startController();
      controller.child.kill('SIGUSR2');
      const { code } = await controller.exited();
      expect(code).not.toBe(0);
      expect(controller.output()).toContain('injected');
      await install(`after-${index}`);
      await startController();
      await isComplete(`after-${index}`);
    }, 120_000);
  }

  it('the kubeconfig of the sandbox stays valid after the sandbox was killed', () => {
    expect(readFileSync(kubeconfig, 'utf8')).toContain(String(port));
  });
});
