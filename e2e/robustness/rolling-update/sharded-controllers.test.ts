import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OperatorVersionSpec } from '@/lib/kudo/types';
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
import { projectRoot, stopAll } from '@/test/programs/process';
import { PASS } from '../proxy/fault';
import { otherVersion } from './other-version';
import { type ControllerReplica, startControllerReplica } from './replicas';
import { ShardWatch } from './shard-watch';

const NS = 'rolling';
const SHARDS = 8;
const INSTANCES = Array.from({ length: 12 }, (_, index) => `app-${index}`);
const STEPS = Array.from({ length: 5 }, (_, index) => `step-${index + 1}`);
/** The write of plans, of all that run, at which a controller receives SIGTERM. */
const AT_WRITE = 20;
const WITHIN_MS = 180_000;

/** Each step applies one ConfigMap, so that the number of its changes is the number of times that the step took effect. */
const operator: OperatorVersionSpec = {
  parameters: [{ name: 'VALUE', default: 'one' }],
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

describe('a rolling update of two controllers that share the Instances, while plans run', () => {
  let engine: Engine;
  let watch: ShardWatch;
  let controllers: ControllerReplica[] = [];
  let bundles: { readonly own: string; readonly next: string };
  /** Changes of each ConfigMap since the last edit. */
  const changes = new Map<string, number>();

  const start = async (bundle: string) => {
    const replica = await startControllerReplica(engine, bundle, { BRAVO_SHARDS: String(SHARDS) });
    watch.check(replica);
    controllers.push(replica);
    return replica;
  };
  const areShared = async (replicas: readonly ControllerReplica[]) =>
    eventually(
      'the controllers hold half of the shards each',
      async () => replicas.every((each) => watch.heldBy(each) === SHARDS / 2),
      WITHIN_MS,
    );
  const isOver = async (name: string, value: string) => {
    const instance = await getInstance(engine.api, NS, name);
    const isIdle = (instance?.spec?.planExecution?.planName ?? '') === '';
    const hasValue = (instance?.spec?.parameters?.VALUE ?? 'one') === value;
    return isIdle && hasValue && instance?.status?.planStatus?.deploy?.status === 'COMPLETE';
  };
  const plansEnd = (value: string) =>
    eventually(
      `the plans of ${value} end`,
      async () => (await Promise.all(INSTANCES.map((name) => isOver(name, value)))).every((each) => each),
      WITHIN_MS,
    );
  /** Edits all Instances, and calls `act` while their plans run. */
  const runPlans = async (value: string, act: () => void) => {
    changes.clear();
    let writes = 0;
    for (const { proxy } of controllers) {
      proxy.decide = ({ method, path }) => {
        if (method === 'PATCH' && path.includes(`/namespaces/${NS}/configmaps/`) && ++writes === AT_WRITE) act();
        return PASS;
      };
    }
    await Promise.all(INSTANCES.map((name) => patchInstance(engine.api, NS, name, { parameters: { VALUE: value } })));
    await plansEnd(value);
    const once = INSTANCES.flatMap((name) => STEPS.map((step) => [`${name}-${step}`, 1]));
    expect(Object.fromEntries(changes), `each step took effect once with ${value}`).toEqual(Object.fromEntries(once));
  };

  beforeAll(async () => {
    const { ensureServerBundle } = await import(join(projectRoot, 'scripts/bundle.mjs'));
    bundles = { own: await ensureServerBundle(), next: (await otherVersion('99.0.0')).bundle };
    engine = await startEngine({ podDelayMs: 0, controller: false });
    watch = new ShardWatch(engine.sandbox, SHARDS);
    await Promise.all([start(bundles.own), start(bundles.own)]);
    await createNamespace(engine.api, NS);
    const version = await createOperator(engine.api, NS, 'steps', operator);
    engine.sandbox.api.watch({ group: '', version: 'v1', resource: 'configmaps', namespace: NS }, ({ object }) => {
      const name = object.metadata.name ?? '';
      if (name.startsWith('app-')) changes.set(name, (changes.get(name) ?? 0) + 1);
    });
    for (const name of INSTANCES) await createInstance(engine.api, NS, name, version);
    await plansEnd('one');
    await areShared(controllers);
  }, 400_000);
  afterAll(async () => {
    await stopAll();
    await Promise.all(controllers.map(({ proxy }) => proxy.stop()));
    await engine?.stop();
  });

  it('interrupts no plan, and each shard is released before another controller takes it', async () => {
    const old = [...controllers];
    for (const [value, victim] of [
      ['two', old[0]],
      ['three', old[1]],
    ] as const) {
      await start(bundles.next);
      await runPlans(value, () => victim?.running.child.kill('SIGTERM'));
      expect((await victim?.running.exited())?.code, victim?.running.output()).toBe(0);
      controllers = controllers.filter((each) => each !== victim);
      await victim?.proxy.stop();
    }
    await areShared(controllers);
    await runPlans('four', () => undefined);

    expect(watch.problems).toEqual([]);
    expect(watch.checked).toBeGreaterThan(INSTANCES.length * STEPS.length * 4);
    for (const [shard, holders] of watch.holders.entries()) {
      const taken = holders.filter((holder, index) => holder !== '' && index > 0 && holders[index - 1] !== '');
      expect(taken, `shard ${shard} was taken from a holder that had not released it`).toEqual([]);
    }
  }, 500_000);
});
