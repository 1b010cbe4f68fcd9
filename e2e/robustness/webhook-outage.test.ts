import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrayAt, stringAt } from '@/lib/json/json';
import { CONFIGURATION_NAME, CONFIGURATIONS } from '@/server/webhook/registration';
import {
  createInstance,
  createNamespace,
  createOperator,
  type Engine,
  eventually,
  getInstance,
  patchInstance,
  startEngine,
} from '@/test/engine/https-engine';
import { VERSIONS } from '@/test/operators/admission-versions';
import { projectRoot, type Running, startNode } from '@/test/programs/process';

const NS = 'outage';
const WITHIN_MS = 60_000;

/** The controller process is killed and suspended while users edit: its webhook must not block them. */
describe('Instances while the process that serves their webhook is down', () => {
  let engine: Engine;
  let controller: Running;
  let kubeconfig: string;
  const start = () => {
    controller = startNode([join(projectRoot, 'bin/bravo'), 'controller'], { KUBECONFIG: kubeconfig });
  };

  beforeAll(async () => {
    engine = await startEngine({ controller: false });
    kubeconfig = join(mkdtempSync(join(tmpdir(), 'bravo-webhook-')), 'kubeconfig');
    writeFileSync(kubeconfig, engine.sandbox.kubeconfig, { mode: 0o600 });
    await createNamespace(engine.api, NS);
    await createOperator(engine.api, NS, 'case', VERSIONS.plain ?? {});
    start();
    await isServed(undefined);
  });
  afterAll(async () => {
    controller.child.kill('SIGKILL');
    await controller.exited();
    await engine?.stop();
  });

  const urlNow = async () => {
    const live = await engine.api.get({ ...CONFIGURATIONS, name: CONFIGURATION_NAME });
    return stringAt(arrayAt(live, 'webhooks')[0], 'clientConfig', 'url');
  };
  const isServed = (formerUrl: string | undefined) =>
    eventually(
      'the webhook is registered',
      async () => {
        const url = await urlNow();
        return url !== formerUrl ? url : undefined;
      },
      WITHIN_MS,
    );

  const deployed = async (name: string) => {
    await createInstance(engine.api, NS, name, 'case-plain');
    return ended(name, 'deploy');
  };
  const ended = (name: string, plan: string) =>
    eventually(
      `plan ${plan} of ${name} has ended`,
      async () => {
        const instance = await getInstance(engine.api, NS, name);
        const status = instance?.status?.planStatus?.[plan];
        return status?.status === 'COMPLETE' && instance?.spec?.planExecution?.planName === undefined
          ? status.uid
          : undefined;
      },
      WITHIN_MS,
    );
  const edit = async (name: string, parameter: string) => {
    const startedMs = performance.now();
    await patchInstance(engine.api, NS, name, { parameters: { [parameter]: 'new' } });
    return performance.now() - startedMs;
  };

  it('MGR-04 ADM-60 (differs, T-39) can be edited at once after a kill, and the next process acts upon the edit', async () => {
    await deployed('killed');
    const url = await urlNow();
    controller.child.kill('SIGKILL');
    await controller.exited();
    expect(await urlNow()).toBe(url);
    expect(await edit('killed', 'keep')).toBeLessThan(2_000);
    await createInstance(engine.api, NS, 'born-alone', 'case-plain');
    expect((await getInstance(engine.api, NS, 'killed'))?.spec?.planExecution?.planName ?? '').toBe('');
    start();
    await ended('killed', 'backup');
    await ended('born-alone', 'deploy');
    await isServed(url);
    await expect(edit('killed', 'stray')).rejects.toMatchObject({ cause: { code: 403 } });
  });

  it('can be edited after a few seconds while the process is suspended, and no edit is lost when it is resumed', async () => {
    await deployed('frozen');
    controller.child.kill('SIGSTOP');
    expect(await edit('frozen', 'keep')).toBeLessThan(8_000);
    controller.child.kill('SIGCONT');
    await ended('frozen', 'backup');
  });

  it('the registration is removed when the process shuts down, so that no edit waits for it', async () => {
    const { code } = await controller.stop();
    expect(code).toBe(0);
    expect(await urlNow()).toBeUndefined();
  });
});
