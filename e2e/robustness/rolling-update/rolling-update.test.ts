import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import type { OperatorVersionSpec } from '@/lib/kudo/types';
import {
  createInstance,
  createNamespace,
  createOperator,
  type Engine,
  eventually as eventuallyWithin,
  getInstance,
  patchInstance,
  startEngine,
} from '@/test/engine/https-engine';
import { projectRoot, stopAll } from '@/test/programs/process';
import { PASS } from '../proxy/fault';
import { LeaseWatch } from './lease-watch';
import { otherVersion } from './other-version';
import { type ConsoleReplica, type ControllerReplica, startConsoleReplica, startControllerReplica } from './replicas';
import { StreamClient } from './stream-client';

const NS = 'rolling';
const NEW = '99.0.0';
const STEPS = Array.from({ length: 14 }, (_, index) => `step-${index + 1}`);
/** The write of a plan at which its controller receives SIGTERM. */
const AT_WRITE = 7;

/** Each step applies one ConfigMap, so that the number of its changes is the number of times that the step took effect. */
const operator: OperatorVersionSpec = {
  parameters: [
    { name: 'VALUE', default: 'one' },
    { name: 'FIXED', default: 'x', immutable: true },
  ],
  templates: Object.fromEntries(
    STEPS.map((step) => [
      `${step}.yaml`,
      `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Name }}-${step}\ndata:\n  value: "{{ .Params.VALUE }}"\n`,
    ]),
  ),
  tasks: STEPS.map((step) => ({ name: step, kind: 'Apply', spec: { resources: [`${step}.yaml`] } })),
  plans: {
    deploy: {
      strategy: 'serial',
      phases: [{ name: 'main', strategy: 'serial', steps: STEPS.map((step) => ({ name: step, tasks: [step] })) }],
    },
  },
};

const eventually = <T>(what: string, ask: () => Promise<T | undefined | false>) => eventuallyWithin(what, ask, 120_000);

describe('a rolling update of two controllers and a console to another version, while plans run', () => {
  let engine: Engine;
  let lease: LeaseWatch;
  let client: StreamClient;
  let consoles: ConsoleReplica[];
  let controllers: ControllerReplica[];
  let next: { readonly bundle: string };
  let own: string;
  /** Changes of each ConfigMap since the last edit. */
  const changes = new Map<string, number>();
  /** Each state of the Instance in which a plan had ended. */
  const endStates: string[] = [];
  const edits = { tried: 0, accepted: 0, isOver: false };

  const holder = () => controllers.find(({ running }) => running.child.pid === lease.holderPid);

  const planIsOver = (value: string) =>
    eventually(`the plan of ${value} ends`, async () => {
      const instance = await getInstance(engine.api, NS, 'app');
      const status = instance?.status?.planStatus?.deploy?.status;
      const isIdle = (instance?.spec?.planExecution?.planName ?? '') === '';
      if (status !== 'COMPLETE' || !isIdle || !everyStepHas(value)) return undefined;
      // A browser gets the newest state once in 50 ms: what is compared is a state that stays.
      await new Promise((resolve) => setTimeout(resolve, 500));
      const later = await getInstance(engine.api, NS, 'app');
      return later?.metadata.resourceVersion === instance?.metadata.resourceVersion ? later : undefined;
    });

  const everyStepHas = (value: string) =>
    STEPS.every((step) => {
      const name = `app-${step}`;
      const live = engine.sandbox.api.get({ group: '', version: 'v1', resource: 'configmaps', namespace: NS, name });
      return (live?.data as { value?: string } | undefined)?.value === value;
    });

  /** Calls `act` while the plan is half done. */
  const runPlan = async (value: string, act: () => void) => {
    changes.clear();
    let writes = 0;
    for (const { proxy } of controllers) {
      proxy.decide = ({ method, path }) => {
        if (method === 'PATCH' && path.includes(`/namespaces/${NS}/configmaps/`) && ++writes === AT_WRITE) act();
        return PASS;
      };
    }
    await patchInstance(engine.api, NS, 'app', { parameters: { VALUE: value } });
    const ended = await planIsOver(value);
    const version = ended.metadata.resourceVersion ?? '';
    endStates.push(version);
    await eventually(`the browser sees the end of ${value}`, async () => client.shown.get(`${NS}/app`)?.has(version));
    expect(Object.fromEntries(changes), `each step took effect once with ${value}`).toEqual(
      Object.fromEntries(STEPS.map((step) => [`app-${step}`, 1])),
    );
  };

  /** Tries what only the webhook refuses, without a pause: it is asked each time. */
  const tryForbiddenEdits = async () => {
    while (!edits.isOver) {
      edits.tried += 1;
      await patchInstance(engine.api, NS, 'probe', { parameters: { FIXED: `y${edits.tried}` } }).then(
        () => (edits.accepted += 1),
        () => undefined,
      );
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };

  beforeAll(async () => {
    await buildPages();
    next = await otherVersion(NEW);
    own = await ownBundle();
    engine = await startEngine({ podDelayMs: 0, controller: false });
    lease = new LeaseWatch(engine.sandbox);
    controllers = [await startControllerReplica(engine, own), await startControllerReplica(engine, own)];
    for (const each of controllers) lease.check(each);
    consoles = [await startConsoleReplica(engine, own)];
    await createNamespace(engine.api, NS);
    const version = await createOperator(engine.api, NS, 'steps', operator);
    engine.sandbox.api.watch({ group: '', version: 'v1', resource: 'configmaps', namespace: NS }, ({ object }) => {
      const name = object.metadata.name ?? '';
      if (name.startsWith('app-step-')) changes.set(name, (changes.get(name) ?? 0) + 1);
    });
    const { group, version: apiVersion, resource } = INSTANCES;
    client = new StreamClient(`${group}/${apiVersion}/${resource}`, () => consoles.map(({ base }) => base));
    for (const name of ['app', 'probe']) await createInstance(engine.api, NS, name, version);
    await planIsOver('one');
    await Promise.race(controllers.map(({ running }) => running.printed('webhook.registered', 60_000)));
  }, 400_000);
  afterAll(async () => {
    edits.isOver = true;
    await client?.stop();
    await stopAll();
    await Promise.all((controllers ?? []).map(({ proxy }) => proxy.stop()));
    await engine?.stop();
  });

  it('interrupts no plan, has one leader at a time, and loses no state of a browser', async () => {
    const attempts = tryForbiddenEdits();
    const old = [...controllers];
    for (const value of ['two', 'three']) {
      const fresh = await startControllerReplica(engine, next.bundle);
      lease.check(fresh);
      controllers.push(fresh);
      // The leader first: then the other old one, or the new one, continues its plan.
      const victim = old.find((each) => each === holder()) ?? old[0];
      if (victim === undefined) throw new Error('no old controller runs');
      old.splice(old.indexOf(victim), 1);
      await runPlan(value, () => victim.running.child.kill('SIGTERM'));
      expect((await victim.running.exited()).code, victim.running.output()).toBe(0);
    }
    const [oldConsole] = consoles;
    const newConsole = await startConsoleReplica(engine, next.bundle);
    const isReady = async ({ base }: ConsoleReplica) =>
      (await fetch(`${base}/api/ready`).catch(() => undefined))?.status === 200;
    await runPlan('four', () => {
      oldConsole?.running.child.kill('SIGTERM');
      // What a Service does: the replica that is not ready gets nothing new.
      consoles = [newConsole];
    });
    expect((await oldConsole?.running.exited())?.code).toBe(0);
    expect(await isReady(newConsole)).toBe(true);
    await runPlan('five', () => undefined);
    edits.isOver = true;
    await attempts;
    await client.stop();

    expect(lease.problems).toEqual([]);
    expect(releasedBetween(lease.holders), 'each holder releases the lease before the next one takes it').toBe(true);
    expect(new Set(lease.holders.filter((name) => name !== '')).size).toBeGreaterThanOrEqual(2);
    expect(edits.tried).toBeGreaterThan(20);
    expect(edits.accepted, 'every edit was decided upon by a webhook').toBe(0);
    expect(client.breaks).toEqual([]);
    expect(client.resumes).toBeGreaterThanOrEqual(1);
    expect(client.versions.at(0)).not.toBe(NEW);
    expect(client.versions.at(-1)).toBe(NEW);
    const shown = client.shown.get(`${NS}/app`);
    expect(endStates.filter((version) => shown?.has(version) !== true)).toEqual([]);
  }, 500_000);
});

/** True when there is a release between any two holders. */
function releasedBetween(holders: readonly string[]): boolean {
  return holders.every((holder, index) => holder === '' || index === 0 || holders[index - 1] === '');
}

/** As `npm start` does: when they are not those of these sources. */
async function buildPages(): Promise<void> {
  const { ensurePages } = await import(join(projectRoot, 'scripts/prepare.mjs'));
  ensurePages();
}

async function ownBundle(): Promise<string> {
  const { ensureServerBundle } = await import(join(projectRoot, 'scripts/bundle.mjs'));
  return ensureServerBundle();
}
