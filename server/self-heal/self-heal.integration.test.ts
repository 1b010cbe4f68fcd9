import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { numberAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { inventoryOf } from '@/lib/kudo/inventory/inventory';
import { SELF_HEAL_ANNOTATION } from '@/lib/kudo/names';
import type { OperatorVersionSpec } from '@/lib/kudo/types';
import { loadKeptObjects } from '@/server/inventory/kept-objects';
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
import { plan } from '@/test/operators/templates';

const namespace = 'self-heal';

const keeper: OperatorVersionSpec = {
  templates: {
    'config.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Name }}-config\ndata:\n  value: "{{ .Params.VALUE }}"\n  chance: "{{ randAlphaNum 12 }}"\n',
    'service.yaml':
      'apiVersion: v1\nkind: Service\nmetadata:\n  name: {{ .Name }}\nspec:\n  selector: {app: x}\n  ports:\n  - {name: main, port: 5432}\n',
    'secret.yaml':
      'apiVersion: v1\nkind: Secret\nmetadata:\n  name: {{ .Name }}-secret\nstringData:\n  password: "{{ .Params.PASSWORD }}"\n',
    'script.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Name }}-script\ndata:\n  run: "x"\n',
    'job.yaml':
      'apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: {{ .Name }}-job\nspec:\n  template:\n    spec:\n      restartPolicy: Never\n      containers:\n      - {name: main, image: busybox}\n',
  },
  tasks: [
    { name: 'all', kind: 'Apply', spec: { resources: ['config.yaml', 'service.yaml', 'secret.yaml'] } },
    { name: 'script', kind: 'Toggle', spec: { resources: ['script.yaml'], parameter: 'SCRIPT' } },
    { name: 'job', kind: 'Apply', spec: { resources: ['job.yaml'] } },
    { name: 'clear', kind: 'Delete', spec: { resources: ['config.yaml'] } },
    { name: 'fatal', kind: 'Dummy', spec: { wantErr: true, fatal: true } },
  ],
  parameters: [
    { name: 'VALUE', default: 'one' },
    { name: 'PASSWORD', default: 'correct-horse' },
    { name: 'SCRIPT', default: 'true' },
  ],
  plans: {
    deploy: plan(['one', 'all', 'script', 'job']),
    backup: plan(['one', 'job', 'script']),
    clear: plan(['one', 'clear']),
    breaks: plan(['one', 'clear', 'fatal']),
  },
};

describe('self-heal', () => {
  let engine: Engine;
  let version: string;
  beforeAll(async () => {
    engine = await startEngine({ podDelayMs: 0 });
    await createNamespace(engine.api, namespace);
    version = await createOperator(engine.api, namespace, 'keeper', keeper);
  });
  afterAll(() => engine?.stop());

  const configMap = (name: string) => ({ group: '', version: 'v1', resource: 'configmaps', namespace, name });
  const service = (name: string) => ({ group: '', version: 'v1', resource: 'services', namespace, name });
  const job = (name: string) => ({ group: 'batch', version: 'v1', resource: 'jobs', namespace, name });

  async function installed(name: string, selfHeal: 'on' | 'off' | undefined): Promise<void> {
    const { api } = engine;
    await createInstance(api, namespace, name, version);
    if (selfHeal !== undefined) {
      const metadata = { annotations: { [SELF_HEAL_ANNOTATION]: selfHeal } };
      await api.patch({ ...INSTANCES, namespace, name }, 'merge', { metadata });
    }
    await planEnds(api, namespace, name, { plan: 'deploy' });
  }

  async function eventOf(name: string, reason: string, words: RegExp): Promise<KubeObject> {
    return eventually(`an event ${reason} of ${name} says ${words}`, async () => {
      const { items } = await engine.api.list({ group: '', version: 'v1', resource: 'events', namespace });
      return items.find(
        (event) =>
          event.reason === reason &&
          (event.involvedObject as { name?: string }).name === name &&
          words.test(String(event.message)),
      );
    });
  }

  it('makes an object again that vanished, exactly as the last plan left it', async () => {
    const { api } = engine;
    await installed('vanish', 'on');
    const before = await api.get(configMap('vanish-config'));
    await api.delete(configMap('vanish-config'));
    const after = await eventually('it is back', () => api.get(configMap('vanish-config')));
    expect(after.data).toEqual(before?.data);
    expect(after.metadata.labels).toEqual(before?.metadata.labels);
    expect(after.metadata.annotations).toEqual(before?.metadata.annotations);
    expect(after.metadata.ownerReferences).toEqual(before?.metadata.ownerReferences);
    await eventOf('vanish', 'Repaired', /ConfigMap vanish-config was missing .* plan deploy/);
  });

  it('puts back what a person changed, says what it was, and keeps what others added', async () => {
    const { api } = engine;
    await installed('drift', 'on');
    await api.patch(service('drift'), 'merge', {
      metadata: { annotations: { mine: 'stays' } },
      spec: { ports: [{ name: 'main', port: 5433 }] },
    });
    const back = await eventually('it is put back', async () => {
      const live = await api.get(service('drift'));
      return numberAt(live, 'spec', 'ports', 0, 'port') === 5432 ? live : undefined;
    });
    expect(back.metadata.annotations?.mine).toBe('stays');
    await eventOf('drift', 'Repaired', /spec\.ports\[0\]\.port is 5433, the last plan left 5432/);
  });

  it('never shows what a Secret holds', async () => {
    const { api } = engine;
    await installed('hidden', 'on');
    const secret = { ...configMap('hidden-secret'), resource: 'secrets' };
    await api.patch(secret, 'merge', { data: { password: 'b3RoZXI=' } });
    const event = await eventOf('hidden', 'Repaired', /Secret hidden-secret/);
    expect(event.message).toContain('data.password is not what the last plan left');
    expect(JSON.stringify(event)).not.toMatch(/b3RoZXI|other|correct-horse/);
  });

  it('finds what vanished while no controller ran', async () => {
    const { api } = engine;
    await installed('away', 'on');
    await engine.stopController();
    await api.delete(configMap('away-config'));
    await api.delete(service('away'));
    await engine.restartController();
    await eventually('the ConfigMap is back', () => api.get(configMap('away-config')));
    await eventually('the Service is back', () => api.get(service('away')));
  });

  it('does not run a Job again, nor keep up what only a plan by hand made', async () => {
    const { api } = engine;
    await installed('jobs', 'on');
    await patchInstance(api, namespace, 'jobs', { planExecution: { planName: 'backup' } });
    await planEnds(api, namespace, 'jobs', { plan: 'backup' });
    await api.delete(job('jobs-job'), { propagation: 'Background' });
    await api.delete(configMap('jobs-config'));
    await eventually('the ConfigMap is back', () => api.get(configMap('jobs-config')));
    expect(await api.get(job('jobs-job'))).toBeUndefined();
  });

  it('leaves deleted what a plan deleted, and what a toggle turned off', async () => {
    const { api } = engine;
    await installed('deleted', 'on');
    await patchInstance(api, namespace, 'deleted', { planExecution: { planName: 'clear' } });
    await planEnds(api, namespace, 'deleted', { plan: 'clear' });
    const instance = await getInstance(api, namespace, 'deleted');
    const names = inventoryOf(instance as never)?.runs.flatMap((run) => run.objects.map(({ name }) => name));
    expect(names?.sort()).toEqual(['deleted', 'deleted-script', 'deleted-secret']);
    await api.delete(configMap('deleted-script'));
    await eventually('the script is back', () => api.get(configMap('deleted-script')));
    expect(await api.get(configMap('deleted-config'))).toBeUndefined();
    const uid = (await getInstance(api, namespace, 'deleted'))?.status?.planStatus?.deploy?.uid;
    await patchInstance(api, namespace, 'deleted', { parameters: { SCRIPT: 'false' } });
    await planEnds(api, namespace, 'deleted', { plan: 'deploy', notUid: uid });
    await api.delete(configMap('deleted-config'));
    await eventually('the ConfigMap is back', () => api.get(configMap('deleted-config')));
    expect(await api.get(configMap('deleted-script'))).toBeUndefined();
  });

  it('repairs nothing after a plan that failed, until one is complete again', async () => {
    const { api } = engine;
    await installed('failed', 'on');
    await patchInstance(api, namespace, 'failed', { planExecution: { planName: 'breaks' } });
    const broken = await planEnds(api, namespace, 'failed', { plan: 'breaks', status: 'FATAL_ERROR' });
    expect(inventoryOf(broken)?.unsettled).toBe('breaks');
    await api.delete(service('failed'));
    await patchInstance(api, namespace, 'failed', { parameters: { VALUE: 'two' } });
    await eventually('the plan brings it back', () => api.get(service('failed')));
  });

  it('writes nothing when it is off, which it is unless somebody says otherwise', async () => {
    const { api } = engine;
    await installed('plain', undefined);
    await installed('witness', 'on');
    await api.patch(service('plain'), 'merge', { spec: { ports: [{ name: 'main', port: 5433 }] } });
    await api.delete(configMap('plain-config'));
    await api.delete(configMap('witness-config'));
    await eventually('the other one is repaired', () => api.get(configMap('witness-config')));
    expect(await api.get(configMap('plain-config'))).toBeUndefined();
    const live = await api.get(service('plain'));
    expect(numberAt(live, 'spec', 'ports', 0, 'port')).toBe(5433);
    const owner = { metadata: { name: 'plain', namespace } };
    const kept = await loadKeptObjects(api, owner, silentLog);
    expect([...kept.values()].map(({ kind }) => kind).sort()).toEqual(['ConfigMap', 'Secret', 'Service']);
  });
});
