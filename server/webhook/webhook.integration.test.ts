import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrayAt, getAt, isJsonObject, parseJsonObject, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import { PLAN_RUNS } from '@/lib/kudo/runs/plan-run';
import { STEERED_BY_ANNOTATION } from '@/lib/kudo/runs/steering-author';
import type { Instance, OperatorVersionSpec } from '@/lib/kudo/types';
import { silentLog } from '@/server/log/log';
import {
  createInstance,
  createNamespace,
  createOperator,
  type Engine,
  eventually,
  getInstance,
  patchInstance,
  planEnds,
  startEngine,
} from '@/test/engine/https-engine';
import { CONFIGURATION_NAME, CONFIGURATIONS, register } from './registration';

const NS = 'door';
const plan = {
  strategy: 'serial',
  phases: [{ name: 'p', strategy: 'serial', steps: [{ name: 's', tasks: ['t'] }] }],
} as const;
const spec = {
  version: '1',
  tasks: [{ name: 't', kind: 'Apply', spec: { resources: ['c.yaml'] } }],
  templates: {
    'c.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Name }}"}\ndata: {size: "{{ .Params.SIZE }}"}\n',
  },
  parameters: [
    { name: 'SIZE', default: '1' },
    { name: 'FIXED', default: 'x', immutable: true },
  ],
  plans: { deploy: plan, backup: plan },
} as unknown as OperatorVersionSpec;

let engine: Engine;
let version: string;

const configuration = () => engine.api.get({ ...CONFIGURATIONS, name: CONFIGURATION_NAME });
const registered = () => eventually('the webhook is registered', async () => (await configuration()) !== undefined);
const sizeOf = async (name: string) =>
  stringAt(
    await engine.api.get({ group: '', version: 'v1', resource: 'configmaps', namespace: NS, name }),
    'data',
    'size',
  );

beforeAll(async () => {
  engine = await startEngine({ webhook: true });
  await createNamespace(engine.api, NS);
  version = await createOperator(engine.api, NS, 'op', spec);
  await registered();
});
afterAll(() => engine?.stop());

/** As an API server before Kubernetes 1.28 stores it. */
async function withoutConditions(): Promise<KubeObject> {
  const webhooks = arrayAt(await configuration(), 'webhooks')
    .filter(isJsonObject)
    .map(({ matchConditions: _, ...entry }) => entry);
  return engine.api.patch({ ...CONFIGURATIONS, name: CONFIGURATION_NAME }, 'merge', { webhooks });
}

describe('the webhook of a running controller', () => {
  it('ADM-01 answers the write itself: planExecution and immutable defaults are in what the API stores', async () => {
    const created = await createInstance(engine.api, NS, 'a', version);
    expect(created.spec?.planExecution).toMatchObject({
      planName: 'deploy',
      uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(created.spec?.parameters).toEqual({ FIXED: 'x' });
    const done = await planEnds(engine.api, NS, 'a', { plan: 'deploy' });
    expect(done.status?.planStatus?.deploy?.uid).toBe(created.spec?.planExecution?.uid);
  });

  it('ADM-03 ADM-35 refuses with code and words, and nothing is stored', async () => {
    await expect(createInstance(engine.api, NS, 'lost', 'nope')).rejects.toMatchObject({
      cause: { code: 500, message: expect.stringContaining('OperatorVersion "nope" is not in namespace') },
    });
    await createInstance(engine.api, NS, 'b', version);
    await planEnds(engine.api, NS, 'b', { plan: 'deploy' });
    const text = `failed to check immutable parameters for Instance ${NS}/b: parameter "FIXED" is immutable and cannot be changed from "x" to "y"`;
    await expect(patchInstance(engine.api, NS, 'b', { parameters: { FIXED: 'y' } })).rejects.toMatchObject({
      cause: {
        code: 403,
        reason: text,
        message: `admission webhook "instance-admission.kudo.dev" denied the request: ${text}`,
      },
    });
    expect((await getInstance(engine.api, NS, 'b'))?.spec?.parameters).toEqual({ FIXED: 'x' });
  });

  it('runs one plan for one edit: the controller begins what the webhook decided, and decides nothing again', async () => {
    await createInstance(engine.api, NS, 'c', version);
    const before = await planEnds(engine.api, NS, 'c', { plan: 'deploy' });
    const uid = before.status?.planStatus?.deploy?.uid;
    const written = await patchInstance(engine.api, NS, 'c', { parameters: { SIZE: '2' } });
    const decided = stringAt(written, 'spec', 'planExecution', 'uid');
    expect(getAt(written, 'spec', 'planExecution')).toMatchObject({ planName: 'deploy', status: 'NEVER_RUN' });
    const after = await planEnds(engine.api, NS, 'c', { plan: 'deploy', notUid: uid });
    expect(after.status?.planStatus?.deploy?.uid).toBe(decided);
    expect(await sizeOf('c')).toBe('2');
  });

  it('lets edits pass while its controller is away, and loses none of them', async () => {
    await createInstance(engine.api, NS, 'd', version);
    const before = await planEnds(engine.api, NS, 'd', { plan: 'deploy' });
    await engine.stopController();
    expect(await configuration()).toBeUndefined();
    await patchInstance(engine.api, NS, 'd', { parameters: { SIZE: '3' } });
    await engine.restartController();
    await planEnds(engine.api, NS, 'd', { plan: 'deploy', notUid: before.status?.planStatus?.deploy?.uid });
    expect(await sizeOf('d')).toBe('3');
    await registered();
  });

  it('lets the steps of the controller pass where the API server drops the conditions and asks about each of them', async () => {
    await withoutConditions();
    await createInstance(engine.api, NS, 'e', version);
    const before = await planEnds(engine.api, NS, 'e', { plan: 'deploy' });
    await patchInstance(engine.api, NS, 'e', { parameters: { SIZE: '2' } });
    await planEnds(engine.api, NS, 'e', { plan: 'deploy', notUid: before.status?.planStatus?.deploy?.uid });
    expect(await sizeOf('e')).toBe('2');
    await patchInstance(engine.api, NS, 'e', { planExecution: { planName: 'backup' } });
    await planEnds(engine.api, NS, 'e', { plan: 'backup' });
  });

  it('does not write its registration again and again where the API server drops the conditions', async () => {
    const before = await withoutConditions();
    const [entry] = arrayAt(before, 'webhooks');
    const url = new URL(stringAt(entry, 'clientConfig', 'url') ?? '').origin;
    const bundle = Buffer.from(stringAt(entry, 'clientConfig', 'caBundle') ?? '', 'base64').toString('utf8');
    await register(engine.api, { kind: 'url', url, names: [] }, bundle, silentLog);
    expect((await configuration())?.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  });

  it('notes who steers a run, whatever the annotation says that is sent', async () => {
    await registered();
    await createInstance(engine.api, NS, 'f', version);
    await planEnds(engine.api, NS, 'f', { plan: 'deploy' });
    const target = { ...PLAN_RUNS, namespace: NS, name: 'f-deploy-1' };
    const metadata = { annotations: { [STEERED_BY_ANNOTATION]: '{"by":{"paused":"somebody else"}}' } };
    const steered = await engine.api.patch(target, 'merge', { metadata, spec: { paused: true } });
    const noted = parseJsonObject(steered.metadata.annotations?.[STEERED_BY_ANNOTATION] ?? '');
    const instance = await engine.api.get({ ...INSTANCES, namespace: NS, name: 'f' });
    const by = actedUpon(instance as Instance)?.origin?.by;
    expect(by).not.toBe('');
    expect(noted?.by).toEqual({ paused: by });
  });
});
