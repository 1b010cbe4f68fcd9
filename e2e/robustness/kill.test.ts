import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { isTerminal } from '@/lib/kudo/plan/status';
import type { Instance } from '@/lib/kudo/types';
import { randomInteger, seededRandom } from '@/lib/random/random';
import { PackageCatalogue } from '@/server/packages/catalogue';
import { install, installVersions } from '@/server/packages/install';
import { loadPackage } from '@/server/packages/loaded-package';
import { prepareInstall } from '@/server/packages/prepare-install';
import {
  confirmPlan,
  createNamespace,
  type Engine,
  eventually as eventuallyWithin,
  getInstance,
  patchInstance,
  startEngine,
} from '@/test/engine/https-engine';
import { projectRoot, type Running, startNode } from '@/test/programs/process';

/** A new process starts slowly on a busy machine. */
const eventually = <T>(what: string, ask: () => Promise<T | undefined | false>) => eventuallyWithin(what, ask, 60_000);

const NS = 'killed';
/** crash.test.ts kills at every write of a plan; here the kills follow a stored status. */
const KILLS = 4;
const SEED = process.env.BRAVO_SEED ?? 'kill-1';
const operators = join(projectRoot, 'operators');

/** The controller is a process that is killed with SIGKILL in the middle of plans and started again at once. */
describe(`the controller, killed in the middle of plans (seed ${SEED})`, () => {
  const random = seededRandom(SEED);
  let engine: Engine;
  let controller: Running;
  let kubeconfig: string;
  let cli: string;
  const startController = () => {
    const run = `const { main } = await import(${JSON.stringify(cli)}); await main(process.argv.slice(1));`;
    controller = startNode(['--input-type=module', '-e', run, 'controller', '--kubeconfig', kubeconfig]);
    return controller;
  };
  const kill = () => controller.child.kill('SIGKILL');

  const load = async (version: string, instance: string) => {
    const loaded = await loadPackage(join(operators, 'postgres', version));
    const context = { catalogue: new PackageCatalogue({ bundledDir: operators }), scope: loaded.scope };
    // Nothing is kept when it is deleted.
    const parameters = { KEEP_BACKUPS: 'false' };
    return prepareInstall({ loaded, context, namespace: NS, instance, parameters });
  };

  /**
   * Kills the controller at the first or second status that says that the plan is in progress under a new uid, as soon as the
   * sandbox has stored it, and starts it again. False when the plan ended before.
   */
  const killDuring = async (name: string, plan: string, before: string | undefined): Promise<boolean> => {
    let left = 1 + randomInteger(random, 2);
    const isInTheMiddle = await new Promise<boolean>((resolve) => {
      const stop = engine.sandbox.api.watch({ ...INSTANCES, namespace: NS }, ({ object }) => {
        const status = object.metadata.name === name ? (object as Instance).status?.planStatus?.[plan] : undefined;
        if (status === undefined || status.uid === undefined || status.uid === before) return;
        const isOver = isTerminal(status.status);
        if (isOver || (status.status === 'IN_PROGRESS' && --left === 0)) {
          kill();
          queueMicrotask(() => stop());
          resolve(!isOver);
        }
      });
    });
    await controller.exited();
    startController();
    return isInTheMiddle;
  };

  const ended = (name: string, plan: string, before: string | undefined) =>
    eventually(`plan ${plan} of ${name} ends`, async () => {
      const instance = await getInstance(engine.api, NS, name);
      const status = instance?.status?.planStatus?.[plan];
      const idle = (instance?.spec?.planExecution?.planName ?? '') === '';
      return idle && status?.uid !== before && isTerminal(status?.status) ? status : undefined;
    }).catch(async (error: unknown) => {
      const { spec, status, metadata } = (await getInstance(engine.api, NS, name)) ?? {};
      const facts = JSON.stringify({ annotations: metadata?.annotations, spec, status: status?.planStatus?.[plan] });
      throw new Error(`${String(error)}\n${facts}\n${controller.output()}`);
    });

  const uidOf = async (name: string, plan: string) =>
    (await getInstance(engine.api, NS, name))?.status?.planStatus?.[plan]?.uid;

  /** The objects that an Instance owns, without random names and without fields that the server counts. */
  const ownedBy = async (name: string): Promise<string[]> => {
    const found: string[] = [];
    for (const [group, version, resource] of KINDS) {
      const { items } = await engine.api.list({ group, version, resource, namespace: NS });
      for (const object of items) {
        if (object.metadata.labels?.['kudo.dev/instance'] !== name) continue;
        const job = object.metadata.labels?.['job-name'];
        const own = resource === 'pods' && job !== undefined ? `pod of ${job}` : (object.metadata.name ?? '');
        const content = resource === 'secrets' ? Object.keys((object.data ?? {}) as object) : (object.data ?? null);
        const line = `${resource} ${own} ${JSON.stringify(content)}`.replaceAll(name, 'NAME');
        // The ConfigMap with the members of postgres says when the plan ran.
        found.push(line.replace(/"since":"\d+"/, '"since":"TIME"'));
      }
    }
    return found.sort();
  };

  beforeAll(async () => {
    // Bundled once, so that a killed controller starts again as fast as possible.
    cli = join(await bundle(), 'cli.mjs');
    engine = await startEngine({ podDelayMs: 100, controller: false });
    kubeconfig = join(mkdtempSync(join(tmpdir(), 'bravo-kill-')), 'kubeconfig');
    writeFileSync(kubeconfig, engine.sandbox.kubeconfig, { mode: 0o600 });
    await createNamespace(engine.api, NS);
    startController();
    await controller.printed('controller.started', 60_000);
  });
  afterAll(async () => {
    kill();
    await engine?.stop();
  });

  let reference: string[] = [];

  it('deploys with the same result as without the kill', async () => {
    await install(engine.api, { prepared: await load('1.0.0', 'reference') });
    await ended('reference', 'deploy', undefined);
    reference = await ownedBy('reference');
    expect(reference.length).toBeGreaterThan(4);
    let kills = 0;
    for (let round = 0; kills < KILLS && round < 2 * KILLS; round++) {
      const name = `pg-${round}`;
      await install(engine.api, { prepared: await load('1.0.0', name) });
      if (await killDuring(name, 'deploy', undefined)) kills += 1;
      expect((await ended(name, 'deploy', undefined)).status).toBe('COMPLETE');
      expect(await ownedBy(name)).toEqual(reference);
    }
    expect(kills).toBe(KILLS);
  }, 240_000);

  for (const plan of ['update', 'password', 'backup', 'restore']) {
    it(`${plan}: has the same result as without the kill, ${KILLS} times`, async () => {
      const name = 'pg-0';
      let kills = 0;
      for (let round = 0; kills < KILLS && round < 2 * KILLS; round++) {
        const before = await uidOf(name, plan);
        if (plan === 'restore') await confirmPlan(engine.api, NS, name, plan);
        await patchInstance(engine.api, NS, name, { planExecution: { planName: plan, uid: `${plan}-${round}` } });
        if (await killDuring(name, plan, before)) kills += 1;
        expect((await ended(name, plan, before)).status).toBe('COMPLETE');
      }
      const pods = (await ownedBy(name)).filter((line) => line.startsWith('pods pod of'));
      expect(new Set(pods).size, 'each Job ran once').toBe(pods.length);
      expect(kills).toBe(KILLS);
    }, 240_000);
  }

  it('upgrade: has the same result as without the kill, under one uid', async () => {
    await installVersions(engine.api, await load('1.1.0', 'unused'));
    let kills = 0;
    for (let round = 0; round < KILLS; round++) {
      const name = `pg-${round}`;
      if ((await getInstance(engine.api, NS, name)) === undefined) break;
      const before = await uidOf(name, 'upgrade');
      const version = (await load('1.1.0', name)).operatorVersion.metadata.name ?? '';
      await patchInstance(engine.api, NS, name, { operatorVersion: { name: version } });
      if (await killDuring(name, 'upgrade', before)) kills += 1;
      expect((await ended(name, 'upgrade', before)).status).toBe('COMPLETE');
    }
    expect(kills).toBe(KILLS);
  }, 240_000);

  it('cleanup: every Instance is deleted with its data', async () => {
    let kills = 0;
    for (let round = 0; round < KILLS; round++) {
      const name = `pg-${round}`;
      if ((await getInstance(engine.api, NS, name)) === undefined) break;
      await engine.api.delete({ ...INSTANCES, namespace: NS, name });
      if (await killDuring(name, 'cleanup', undefined)) kills += 1;
      await eventually(
        `Instance ${name} is deleted`,
        async () => (await getInstance(engine.api, NS, name)) === undefined,
      );
      await eventually(`the objects of ${name} are deleted`, async () => (await ownedBy(name)).length === 0);
    }
    expect(kills).toBe(KILLS);
  }, 240_000);
});

async function bundle(): Promise<string> {
  const { ensureServerBundle } = await import(join(projectRoot, 'scripts/bundle.mjs'));
  return ensureServerBundle();
}

const KINDS = [
  ['', 'v1', 'configmaps'],
  ['', 'v1', 'secrets'],
  ['', 'v1', 'services'],
  ['', 'v1', 'pods'],
  ['', 'v1', 'persistentvolumeclaims'],
  ['apps', 'v1', 'statefulsets'],
  ['batch', 'v1', 'jobs'],
] as const;
