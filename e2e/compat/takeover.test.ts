import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  clusterOf,
  controllerOptions,
  createNamespace,
  eventually,
  getInstance,
  patchInstance,
} from '@/e2e/support/engine-fixture';
import { sharedPath } from '@/e2e/support/shared';
import { systemClock } from '@/lib/clock/clock';
import { getAt, numberAt, objectAt } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { INSTANCES } from '@/lib/kudo/crds';
import { systemRandom } from '@/lib/random/random';
import { type Controller, startController } from '@/server/controller/controller';
import { type ClosableApi, createApi } from '@/server/kube/http-api';
import { installCrds } from '@/server/kube/install-crds';
import { KindIndex } from '@/server/kube/kinds';
import { type Sandbox, startSandbox } from '@/server/sandbox/sandbox';

const folder = sharedPath('golden/takeover');

/** Namespaces as the real KUDO left them: Bravo goes on, and the end is KUDO's own. Nothing moves but what the test moves. */
describe.skipIf(folder === undefined)('taking over from KUDO 0.19', () => {
  let sandbox: Sandbox;
  let api: ClosableApi;
  let kinds: KindIndex;
  let controller: Controller;

  beforeAll(async () => {
    sandbox = await startSandbox({
      port: 0,
      mode: 'no-controllers',
      podDelayMs: 0,
      clock: systemClock,
      random: systemRandom,
    });
    api = createApi(clusterOf(sandbox), { clock: systemClock });
    await installCrds(api, systemClock);
    kinds = new KindIndex(api);
    controller = await startController(controllerOptions(api));
  });
  afterAll(async () => {
    await controller?.stop();
    await api?.close();
    await sandbox?.stop();
  });

  const read = (name: string): KubeObject[] => JSON.parse(readFileSync(`${folder}/${name}.json`, 'utf8'));

  /** Creates the objects in their order; uids change, so owner references (also those in records) are mapped. */
  const load = async (name: string, namespace: string): Promise<KubeObject[]> => {
    await createNamespace(api, namespace);
    const uids = new Map<string, string>();
    const made: KubeObject[] = [];
    // Owners first: a reference needs the owner's new uid.
    const objects = read(name).sort((a, b) => depth(a) - depth(b));
    const [first] = objects;
    for (const original of objects) {
      let text = JSON.stringify(original).replaceAll(`"${first?.metadata.namespace}"`, `"${namespace}"`);
      text = text.replaceAll(`\\"${first?.metadata.namespace}\\"`, `\\"${namespace}\\"`);
      for (const [old, current] of uids) text = text.replaceAll(old, current);
      const {
        managedFields: _m,
        resourceVersion: _r,
        uid,
        creationTimestamp: _c,
        generation: _g,
        ...metadata
      } = (JSON.parse(text) as KubeObject).metadata;
      const object = { ...(JSON.parse(text) as KubeObject), metadata } as KubeObject;
      delete object.metadata.deletionTimestamp;
      delete object.metadata.deletionGracePeriodSeconds;
      const target = await kinds.targetOf(object);
      if (target === undefined) throw new Error(`unknown kind ${object.kind}`);
      const created = await api.create(target, object);
      uids.set(uid ?? '', created.metadata.uid ?? '');
      made.push(object.status === undefined ? created : await writeStatus(created, object.status));
    }
    return made;
  };

  const writeStatus = async (object: KubeObject, status: unknown): Promise<KubeObject> => {
    const target = await kinds.targetOf(object);
    if (target === undefined || object.kind === 'Operator' || object.kind === 'OperatorVersion') return object;
    return api.patch(target, 'merge', { status } as never, { subresource: 'status' });
  };

  const deploymentOf = async (namespace: string, name = 'nginx-deployment') =>
    api.get({ group: 'apps', version: 'v1', resource: 'deployments', namespace, name });

  const makeReady = async (namespace: string, name = 'nginx-deployment') => {
    const deployment = await deploymentOf(namespace, name);
    const replicas = numberAt(deployment?.spec, 'replicas') ?? 1;
    await writeStatus(deployment as KubeObject, {
      observedGeneration: deployment?.metadata.generation ?? 1,
      replicas,
      updatedReplicas: replicas,
      readyReplicas: replicas,
      availableReplicas: replicas,
    });
  };

  it('goes on with a plan in the middle under its uid, and does not touch what KUDO applied', async () => {
    await load('first-operator-midplan.before', 'midplan');
    const before = await deploymentOf('midplan');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect((await getInstance(api, 'midplan', 'app'))?.status?.planStatus?.deploy?.status).toBe('IN_PROGRESS');
    await makeReady('midplan');
    const after = await eventually('the plan ends', async () => {
      const instance = await getInstance(api, 'midplan', 'app');
      return instance?.spec?.planExecution?.planName === undefined ? instance : undefined;
    });
    const theirs = read('first-operator-midplan.after').find(({ kind }) => kind === 'Instance');
    const { lastUpdatedTimestamp: _a, ...ours } = after.status?.planStatus?.deploy ?? {};
    const { lastUpdatedTimestamp: _b, ...kudos } = objectAt(theirs?.status, 'planStatus', 'deploy');
    expect(ours).toEqual(kudos);
    expect(after.status?.conditions?.[0]).toMatchObject({ type: 'Ready', status: 'True', reason: 'ResourcesReady' });
    const deployment = await deploymentOf('midplan');
    expect(deployment?.spec).toEqual(before?.spec);
    expect(deployment?.metadata.annotations).toEqual(before?.metadata.annotations);
  });

  it('leaves a finished Instance alone, and scales it after an edit without new pods', async () => {
    await load('first-operator-finished.before', 'finished');
    await makeReady('finished');
    const before = await deploymentOf('finished');
    await new Promise((resolve) => setTimeout(resolve, 500));
    const idle = await getInstance(api, 'finished', 'app');
    expect(idle?.spec?.planExecution ?? {}).toEqual({});
    const uid = idle?.status?.planStatus?.deploy?.uid;
    await patchInstance(api, 'finished', 'app', { parameters: { replicas: '3' } });
    const scaled = await eventually('the Deployment is scaled', async () => {
      const deployment = await deploymentOf('finished');
      return numberAt(deployment?.spec, 'replicas') === 3 ? deployment : undefined;
    });
    expect(getAt(scaled.spec, 'template')).toEqual(getAt(before?.spec, 'template'));
    await makeReady('finished');
    const after = await eventually('the plan ends', async () => {
      const instance = await getInstance(api, 'finished', 'app');
      return instance?.status?.planStatus?.deploy?.status === 'COMPLETE' &&
        instance.status.planStatus.deploy.uid !== uid &&
        instance.spec?.planExecution?.planName === undefined
        ? instance
        : undefined;
    });
    expect(after.status?.conditions?.[0]?.status).toBe('True');
  });

  it('leaves a plan that ended in a fatal error as it is', async () => {
    await load('rendering-error.before', 'fatal');
    await new Promise((resolve) => setTimeout(resolve, 500));
    const theirs = read('rendering-error.before').find(({ kind }) => kind === 'Instance');
    const ours = await getInstance(api, 'fatal', nameOf(theirs as KubeObject));
    expect(ours?.status?.planStatus).toEqual(getAt(theirs?.status, 'planStatus'));
    expect(ours?.spec?.planExecution ?? {}).toEqual({});
  });

  it('finishes a cleanup in the middle, and lets the Instance go', async () => {
    await controller.stop();
    await load('cleanup-running.before', 'cleanup');
    await api.delete({ ...INSTANCES, namespace: 'cleanup', name: 'app' });
    const uid = (await getInstance(api, 'cleanup', 'app'))?.spec?.planExecution?.uid;
    controller = await startController(controllerOptions(api));
    await new Promise((resolve) => setTimeout(resolve, 500));
    const during = await getInstance(api, 'cleanup', 'app');
    expect([during?.status?.planStatus?.cleanup?.status, during?.spec?.planExecution?.uid]).toEqual([
      'IN_PROGRESS',
      uid,
    ]);
    await makeReady('cleanup', 'cleanup-deployment');
    await eventually('it is gone', async () => (await getInstance(api, 'cleanup', 'app')) === undefined);
  });
});

function depth(object: KubeObject): number {
  const order = [
    'Operator',
    'OperatorVersion',
    'Instance',
    'Service',
    'PersistentVolumeClaim',
    'Deployment',
    'ReplicaSet',
    'Pod',
  ];
  return order.indexOf(object.kind);
}
