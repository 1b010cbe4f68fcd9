import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import {
  APPROVAL_ANNOTATION,
  PLAN_APPROVAL_API_VERSION,
  PLAN_APPROVALS,
  type PlanApproval,
} from '@/lib/kudo/approvals/plan-approval';
import { INSTANCES, OPERATOR_VERSIONS } from '@/lib/kudo/crds/crds';
import { runQueueOf } from '@/lib/kudo/queue/run-queue';
import { PLAN_RUNS, type PlanRun } from '@/lib/kudo/runs/plan-run';
import { type ClosableApi, createApi } from '@/server/kube/http-api';
import { connectTransport } from '@/server/kube/transport';
import {
  clusterOf,
  createInstance,
  createNamespace,
  createOperator,
  type Engine,
  eventually,
  getInstance,
  planEnds,
  startEngine,
} from '@/test/engine/https-engine';
import { never } from '@/test/operators/backup-operator';
import { saying, wiping } from '@/test/operators/destructive-operator';
import { plan } from '@/test/operators/templates';
import { CONFIGURATION_NAME, CONFIGURATIONS } from './registration';

const NS = 'queueing';
const DB = { namespace: NS, name: 'db' };
const { tasks = [], plans = {}, ...rest } = wiping();
const SPEC = { ...rest, tasks: [...tasks, never], plans: { ...plans, long: plan(['wait', 'never']) } };

let engine: Engine;
let bob: ClosableApi;

beforeAll(async () => {
  engine = await startEngine({ webhook: true });
  await createNamespace(engine.api, NS);
  const version = await createOperator(engine.api, NS, 'op', SPEC);
  await engine.api.patch({ ...OPERATOR_VERSIONS, namespace: NS, name: version }, 'merge', {
    metadata: { annotations: saying({ wipe: { approval: true } }) },
  });
  const cluster = clusterOf(engine.sandbox);
  const transport = connectTransport(cluster);
  const who = { 'impersonate-user': 'bob', 'impersonate-group': 'system:masters' };
  bob = createApi(cluster, {
    clock: systemClock,
    transport: {
      ...transport,
      request: (request) => transport.request({ ...request, headers: { ...request.headers, ...who } }),
    },
  });
  await eventually('the webhook is registered', () => engine.api.get({ ...CONFIGURATIONS, name: CONFIGURATION_NAME }));
  await createInstance(engine.api, NS, 'db', version);
  await planEnds(engine.api, NS, 'db', { plan: 'deploy' });
});
afterAll(async () => {
  await bob?.close();
  await engine?.stop();
});

const start = (planName: string, approval?: string) =>
  engine.api.patch({ ...INSTANCES, ...DB }, 'merge', {
    ...(approval === undefined ? {} : { metadata: { annotations: { [APPROVAL_ANNOTATION]: approval } } }),
    spec: { planExecution: { planName, uid: `of ${planName}` } },
  });
const run = async (name: string) =>
  (await engine.api.get({ ...PLAN_RUNS, namespace: NS, name })) as PlanRun | undefined;
const ends = (name: string) =>
  eventually(`run ${name} is complete`, async () => {
    const found = await run(name);
    return found?.status?.status === 'COMPLETE' ? found : undefined;
  });
const skipWait = (name: string) =>
  engine.api.patch({ ...PLAN_RUNS, namespace: NS, name }, 'merge', {
    spec: { skip: [{ phase: 'main', step: 'wait', reason: 'enough' }] },
  });
/** Starts plan `long`, which does not end by itself. */
async function runLong(name: string): Promise<void> {
  await start('long');
  await eventually(`run ${name} exists`, () => run(name));
}
const queue = async () => {
  const instance = await getInstance(engine.api, NS, 'db');
  return instance === undefined ? [] : runQueueOf(instance).entries;
};

describe('the approval of a run that waits in the queue', () => {
  it('is kept by its entry, used by its start and by no other one, and cannot be used again', async () => {
    await engine.api.create(
      { ...PLAN_APPROVALS, namespace: NS },
      {
        apiVersion: PLAN_APPROVAL_API_VERSION,
        kind: 'PlanApproval',
        metadata: { name: 'q1', namespace: NS },
        spec: { instanceName: 'db', plan: 'wipe' },
      },
    );
    const target = { ...PLAN_APPROVALS, namespace: NS, name: 'q1' };
    await bob.patch(target, 'merge', { status: { approvedBy: 'me' } }, { subresource: 'status' });
    await runLong('db-long-1');
    // An unmarked plan that starts before it must not use it up.
    await start('deploy');
    const written = await start('wipe', 'q1');
    expect(written.metadata.annotations).not.toHaveProperty([APPROVAL_ANNOTATION]);
    expect(await queue()).toMatchObject([{ plan: 'deploy' }, { plan: 'wipe', approval: 'q1' }]);
    await skipWait('db-long-1');
    await ends('db-deploy-2');
    const wiped = await ends('db-wipe-1');
    const used = (await engine.api.get(target)) as PlanApproval;
    expect(used.status).toMatchObject({ approvedBy: 'bob', usedBy: wiped.spec?.uid });
    await expect(start('wipe', 'q1')).rejects.toThrow('PlanApproval q1 was used for a start already');

    await runLong('db-long-2');
    await start('wipe', 'q1');
    expect(await queue()).toMatchObject([{ plan: 'wipe', approval: 'q1' }]);
    await skipWait('db-long-2');
    await ends('db-long-2');
    await eventually('the queue is held', async () => {
      const events = await engine.api.list({ group: '', version: 'v1', resource: 'events', namespace: NS });
      return events.items.some(({ message, reason }) => reason === 'QueueHeld' && /q1 was used/.test(String(message)));
    });
    expect(await run('db-wipe-2')).toBeUndefined();
    expect(await queue()).toHaveLength(1);
  });
});
