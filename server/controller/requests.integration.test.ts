import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '@/lib/clock/clock';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import type { Instance, OperatorVersionSpec } from '@/lib/kudo/types';
import { systemRandom } from '@/lib/random/random';
import { readWebhookSettings } from '@/server/config/webhook';
import type { Api, Target } from '@/server/kube/api';
import { startCache } from '@/server/kube/cache';
import { silentLog } from '@/server/log/log';
import { CONFIGURATION_NAME, CONFIGURATIONS } from '@/server/webhook/registration';
import { runController } from '@/server/workers/run-controller';
import {
  clusterOf,
  controllerOptions,
  createInstance,
  createNamespace,
  createOperator,
  type Engine,
  patchInstance,
  planEnds,
  startEngine,
} from '@/test/engine/https-engine';
import { startController } from './controller';

const NS = 'counted';
/** What the record of a run costs. */
const RECORD = { 'create planruns': 1, 'create secrets': 1, 'update planruns/status': 1 };
const steps = ['1', '2', '3'];

/** Counts are the same on a busy machine: what is due after some time is not due. */
const unhurried: Clock = { ...systemClock, monotonic: () => systemClock.monotonic() / 1_000 };

/** Three serial steps of two ConfigMaps; only the first ConfigMap holds the parameter ONE. */
const six: OperatorVersionSpec = {
  version: '1.0',
  parameters: [
    { name: 'ALL', default: 'x' },
    { name: 'ONE', default: 'x' },
  ],
  templates: Object.fromEntries(
    steps
      .flatMap((step) => ['a', 'b'].map((half) => step + half))
      .map((name) => [
        `${name}.yaml`,
        `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Name }}-${name}\ndata:\n  all: "{{ .Params.ALL }}"\n${name === '1a' ? '  one: "{{ .Params.ONE }}"\n' : ''}`,
      ]),
  ),
  tasks: steps.map((name) => ({ name, kind: 'Apply', spec: { resources: [`${name}a.yaml`, `${name}b.yaml`] } })),
  plans: {
    deploy: {
      strategy: 'serial',
      phases: [{ name: 'main', strategy: 'serial', steps: steps.map((name) => ({ name, tasks: [name] })) }],
    },
  },
};

/** One pod on a node that nobody runs. */
const neverReady: OperatorVersionSpec = {
  version: '1.0',
  templates: {
    'never.yaml':
      'apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Name }}\nspec:\n  nodeName: nowhere\n  containers:\n  - name: c\n    image: nginx\n',
  },
  tasks: [{ name: 'never', kind: 'Apply', spec: { resources: ['never.yaml'] } }],
  plans: {
    deploy: {
      strategy: 'serial',
      phases: [{ name: 'main', strategy: 'serial', steps: [{ name: 'one', tasks: ['never'] }] }],
    },
  },
};

function deferred(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** An Api that notes every call that is no watch, list or discovery, as `verb resource`. */
function noting(api: Api, calls: string[]): Api {
  const noted = <Result>(
    verb: string,
    target: Target,
    result: () => Promise<Result>,
    subresource = '',
  ): Promise<Result> => {
    calls.push(`${verb} ${target.resource}${subresource === '' ? '' : `/${subresource}`}`);
    return result();
  };
  return {
    ...api,
    get: (target, options) => noted('get', target, () => api.get(target, options)),
    create: (target, object, options) => noted('create', target, () => api.create(target, object, options)),
    update: (target, object, options) =>
      noted('update', target, () => api.update(target, object, options), options?.subresource),
    patch: (target, type, patch, options) => noted('patch', target, () => api.patch(target, type, patch, options)),
    delete: (target, options) => noted('delete', target, () => api.delete(target, options)),
  };
}

function counted(calls: readonly string[]): { [call: string]: number } {
  const counts: { [call: string]: number } = {};
  for (const call of calls) if (!call.endsWith(' leases')) counts[call] = (counts[call] ?? 0) + 1;
  return counts;
}

describe('what a plan of three steps and six objects asks of the API', () => {
  const calls: string[] = [];
  let engine: Engine;
  let version: string;
  let controller: Awaited<ReturnType<typeof startController>>;
  /** Events follow the plan, one after the other; the second one is the last call of all. */
  const settled = async () => {
    while (calls.filter((call) => call === 'create events').length < 2) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  /** Creates an Instance; when its first plan is over, edits it, and counts from there to the end of the second plan. */
  const edit = async (name: string, parameters: { [name: string]: string }) => {
    calls.length = 0;
    await createInstance(engine.api, NS, name, version);
    const before = await planEnds(engine.api, NS, name, { plan: 'deploy' });
    await settled();
    calls.length = 0;
    await patchInstance(engine.api, NS, name, { parameters });
    await planEnds(engine.api, NS, name, { plan: 'deploy', notUid: before.status?.planStatus?.deploy?.uid });
    await settled();
  };

  beforeAll(async () => {
    engine = await startEngine({ controller: false });
    await createNamespace(engine.api, NS);
    version = await createOperator(engine.api, NS, 'six', six);
    const { promise: leading, resolve: onLeading } = deferred();
    controller = await startController({
      api: noting(engine.api, calls),
      clock: unhurried,
      random: systemRandom,
      log: silentLog,
      identity: 'counted',
      onLeadership: (leads) => (leads ? onLeading() : undefined),
    });
    // It has its keys then, which cost requests once.
    await leading;
  });
  afterAll(async () => {
    await controller?.stop();
    await engine?.stop();
  });

  it('is sixteen requests for the first plan, three of them its record, and a watch sees it begin and every step end', async () => {
    const seen = new Set<string>();
    const cache = startCache(
      engine.api,
      { ...INSTANCES, namespace: NS },
      { clock: systemClock, random: systemRandom, log: silentLog },
    );
    cache.onChange(({ object }) => {
      const [phase] = (object as Instance).status?.planStatus?.deploy?.phases ?? [];
      for (const step of phase?.steps ?? []) seen.add(`${step.name} ${step.status}`);
    });
    await cache.synced;
    calls.length = 0;
    await createInstance(engine.api, NS, 'first', version);
    await planEnds(engine.api, NS, 'first', { plan: 'deploy' });
    await settled();
    await cache.stop();
    expect(counted(calls)).toEqual({
      'get operatorversions': 1,
      'update instances': 2,
      'update instances/status': 2,
      'create configmaps': 6,
      'create events': 2,
      ...RECORD,
    });
    expect([...seen]).toEqual(expect.arrayContaining(['1 IN_PROGRESS', ...steps.map((step) => `${step} COMPLETE`)]));
  });

  it('is one write of an object for an edit that changes one object, and a read of each other one', async () => {
    await edit('edited', { ONE: 'y' });
    expect(counted(calls)).toEqual({
      'get operatorversions': 1,
      'update instances': 2,
      'update instances/status': 2,
      'get configmaps': 5,
      'patch configmaps': 1,
      'create events': 2,
      ...RECORD,
    });
  });

  it('is one write of each object for an edit that changes all of them, and no read', async () => {
    await edit('changed', { ALL: 'y' });
    expect(counted(calls)).toEqual({
      'get operatorversions': 1,
      'update instances': 2,
      'update instances/status': 2,
      'patch configmaps': 6,
      'create events': 2,
      ...RECORD,
    });
  });
});

describe('what a plan asks of the API when the webhook has decided it', () => {
  const calls: string[] = [];
  let engine: Engine;
  let version: string;
  let controller: Awaited<ReturnType<typeof runController>>;

  beforeAll(async () => {
    engine = await startEngine({ controller: false });
    await createNamespace(engine.api, NS);
    version = await createOperator(engine.api, NS, 'six', six);
    controller = await runController({
      ...controllerOptions(engine.api),
      api: noting(engine.api, calls),
      clock: unhurried,
      cluster: clusterOf(engine.sandbox),
      webhook: readWebhookSettings({}),
    });
    await controller.synced;
    const registered = { ...CONFIGURATIONS, name: CONFIGURATION_NAME };
    while ((await engine.api.get(registered)) === undefined) await new Promise((resolve) => setImmediate(resolve));
  });
  afterAll(async () => {
    await controller?.stop();
    await engine?.stop();
  });

  it('is one write less: the first status takes the execution up', async () => {
    calls.length = 0;
    await createInstance(engine.api, NS, 'decided', version);
    const ended = await planEnds(engine.api, NS, 'decided', { plan: 'deploy' });
    expect(counted(calls)).toMatchObject({
      'update instances': 1,
      'update instances/status': 2,
      'create configmaps': 6,
    });
    calls.length = 0;
    await patchInstance(engine.api, NS, 'decided', { parameters: { ONE: 'y' } });
    await planEnds(engine.api, NS, 'decided', { plan: 'deploy', notUid: ended.status?.planStatus?.deploy?.uid });
    expect(counted(calls)).toMatchObject({
      'update instances': 1,
      'update instances/status': 2,
      'get configmaps': 5,
      'patch configmaps': 1,
    });
  });

  it('says in planExecution that a plan runs which does not end at once', async () => {
    const name = await createOperator(engine.api, NS, 'never', neverReady);
    await createInstance(engine.api, NS, 'waits', name);
    const waits = startCache(
      engine.api,
      { ...INSTANCES, namespace: NS },
      { clock: systemClock, random: systemRandom, log: silentLog },
    );
    const told = new Promise<Instance>((resolve) => {
      waits.onChange(({ object }) => {
        const instance = object as Instance;
        if (instance.metadata.name === 'waits' && instance.spec?.planExecution?.status === 'IN_PROGRESS')
          resolve(instance);
      });
    });
    const { status, spec } = await told;
    expect(status?.planStatus?.deploy).toMatchObject({ uid: spec?.planExecution?.uid, status: 'IN_PROGRESS' });
    await waits.stop();
  });
});
