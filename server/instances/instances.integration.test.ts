import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { explainFailure } from '@/lib/kudo/runs/explain-failure';
import type { OperatorVersionSpec } from '@/lib/kudo/types';
import { diagnosisOf } from '@/lib/kudo/view/diagnosis';
import { systemRandom } from '@/lib/random/random';
import {
  createInstance,
  createNamespace,
  createOperator,
  type Engine,
  getInstance,
  planEnds,
  startEngine,
} from '@/test/engine/https-engine';
import { changeParameters } from './change-parameters';
import { previewDeletion } from './deletion-preview';
import { explainStep } from './explain-step';
import { ownedObjects } from './owned-objects';
import { previewEdit } from './preview-edit';
import { triggerPlan } from './trigger-plan';

const NS = 'demo';

const configMap = `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Name }}-config
data:
  size: "{{ .Params.SIZE }}"
  login: "{{ .Params.PASSWORD }}"
`;

const job = `apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .Name }}-load
spec:
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: load
          image: busybox
          command: [sh, -c, "echo table 7 is broken; exit 3"]
`;

const claim = `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: {{ .Name }}-data
spec:
  accessModes: [ReadWriteOnce]
  resources: {requests: {storage: 1Gi}}
`;

const web = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Name }}-web
spec:
  replicas: 2
  selector: {matchLabels: {app: "{{ .Name }}"}}
  template:
    metadata: {labels: {app: "{{ .Name }}"}}
    spec:
      containers: [{name: web, image: "registry/nonexistent:1"}]
`;

const single = (step: string) => ({
  strategy: 'serial',
  phases: [{ name: 'main', strategy: 'serial', steps: [{ name: step, tasks: [step] }] }],
});

const spec: OperatorVersionSpec = {
  templates: { 'config.yaml': configMap, 'job.yaml': job, 'claim.yaml': claim, 'web.yaml': web },
  tasks: [
    { name: 'config', kind: 'Apply', spec: { resources: ['config.yaml'] } },
    { name: 'load', kind: 'Apply', spec: { resources: ['job.yaml'] } },
    { name: 'web', kind: 'Apply', spec: { resources: ['web.yaml'] } },
    { name: 'clean', kind: 'Delete', spec: { resources: ['config.yaml'] } },
    { name: 'claim', kind: 'Toggle', spec: { resources: ['claim.yaml'], parameter: 'KEEP' } },
  ],
  parameters: [
    { name: 'SIZE', default: '1', 'value-type': 'integer' },
    { name: 'PASSWORD', default: 'first-secret' },
    { name: 'KEEP', default: 'false', 'value-type': 'boolean', trigger: 'volumes' },
    { name: 'FIXED', default: 'x', immutable: true },
  ],
  plans: {
    deploy: single('config'),
    load: single('load'),
    web: single('web'),
    volumes: single('claim'),
    cleanup: single('clean'),
  },
};

describe('what the console does with an Instance', () => {
  let engine: Engine;
  const key = (name: string) => ({ namespace: NS, name });
  const deployed = async (name: string) => {
    const version = await versionName;
    await createInstance(engine.api, NS, name, version);
    await planEnds(engine.api, NS, name, { plan: 'deploy' });
    return key(name);
  };
  let versionName: Promise<string>;

  beforeAll(async () => {
    engine = await startEngine();
    await createNamespace(engine.api, NS);
    versionName = createOperator(engine.api, NS, 'console', spec);
  });
  afterAll(() => engine?.stop());

  it('starts a plan, and refuses one that does not exist or that only the controller starts', async () => {
    const at = await deployed('starts');
    const before = await getInstance(engine.api, NS, 'starts');
    const { uid } = await triggerPlan(engine.api, at, { plan: 'deploy' }, systemRandom);
    const notUid = before?.status?.planStatus?.deploy?.uid;
    const after = await planEnds(engine.api, NS, 'starts', { plan: 'deploy', notUid });
    expect(after.status?.planStatus?.deploy?.uid).toBe(uid);
    await expect(triggerPlan(engine.api, at, { plan: 'nothing' }, systemRandom)).rejects.toThrow(/does not exist/);
    await expect(triggerPlan(engine.api, at, { plan: 'cleanup' }, systemRandom)).rejects.toThrow();
    await expect(triggerPlan(engine.api, key('nobody'), { plan: 'deploy' }, systemRandom)).rejects.toMatchObject({
      reason: 'NotFound',
    });
  });

  it('stores an edit and names the plan that starts', async () => {
    const at = await deployed('edited');
    expect(await changeParameters(engine.api, at, { parameters: { SIZE: '5' }, seen: { SIZE: null } })).toEqual({
      plan: 'deploy',
    });
    expect((await getInstance(engine.api, NS, 'edited'))?.spec?.parameters?.SIZE).toBe('5');
    await planEnds(engine.api, NS, 'edited', { plan: 'deploy' });
  });

  it('names each field that is not valid', async () => {
    const at = await deployed('wrong');
    const edit = { parameters: { SIZE: 'many', OTHER: 'x' }, seen: {} };
    await expect(changeParameters(engine.api, at, edit)).rejects.toMatchObject({
      status: 422,
      causes: [{ field: 'SIZE' }, { field: 'OTHER' }],
    });
    await expect(changeParameters(engine.api, at, { parameters: { FIXED: 'y' }, seen: {} })).rejects.toThrow(
      /immutable/i,
    );
  });

  it('does not overwrite a value that the person has not seen', async () => {
    const at = await deployed('contested');
    await changeParameters(engine.api, at, { parameters: { SIZE: '2' }, seen: { SIZE: null } });
    const late = { parameters: { SIZE: '9' }, seen: { SIZE: null } };
    await expect(changeParameters(engine.api, at, late)).rejects.toMatchObject({
      status: 409,
      causes: [{ field: 'SIZE' }],
    });
  });

  it('previews objects without writing, and without showing secrets', async () => {
    const at = await deployed('preview');
    const preview = await previewEdit(
      engine.api,
      at,
      { parameters: { SIZE: '4', PASSWORD: 'second-secret' }, seen: {} },
      systemClock,
    );
    expect(preview).toMatchObject({ outcome: 'runs', plan: 'deploy', unchanged: 0, problems: [] });
    expect(preview.objects).toMatchObject([
      { kind: 'ConfigMap', name: 'preview-config', change: 'change', place: 'main / config' },
    ]);
    expect(preview.objects[0]?.before).toContain('size: "1"');
    expect(preview.objects[0]?.after).toContain('size: "4"');
    expect(JSON.stringify(preview)).not.toMatch(/first-secret|second-secret/);
    expect((await getInstance(engine.api, NS, 'preview'))?.spec?.parameters?.SIZE).toBeUndefined();
  });

  it('previews the objects of a toggle', async () => {
    const at = await deployed('toggled');
    const preview = await previewEdit(engine.api, at, { parameters: { KEEP: 'true' }, seen: {} }, systemClock);
    expect(preview).toMatchObject({
      plan: 'volumes',
      objects: [{ kind: 'PersistentVolumeClaim', change: 'create', before: '' }],
    });
  });

  it('lists what an Instance owns, with the step that applied it', async () => {
    const at = await deployed('owner');
    const { objects, unreadable } = await ownedObjects(engine.api, at);
    expect(unreadable).toEqual([]);
    expect(objects).toMatchObject([
      {
        kind: 'ConfigMap',
        name: 'owner-config',
        health: { state: 'healthy' },
        place: { plan: 'deploy', phase: 'main', step: 'config' },
      },
    ]);
  });

  it('finds nothing of an Instance whose name cannot be a label', async () => {
    expect(await ownedObjects(engine.api, key('i'.repeat(64)))).toEqual({ objects: [], unreadable: [] });
  });

  it('says before a deletion what the cleanup plan does, what goes and what stays', async () => {
    const at = await deployed('leaves');
    await engine.api.create(
      { group: '', version: 'v1', resource: 'configmaps', namespace: NS },
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'orphan', labels: { 'kudo.dev/instance': 'leaves' } } },
    );
    const preview = await previewDeletion(engine.api, at, systemClock);
    expect(preview.cleanup).toEqual([{ phase: 'main', steps: [{ step: 'clean', tasks: ['clean'] }] }]);
    expect(preview.goes.map(({ name }) => name)).toEqual(['leaves-config']);
    expect(preview.stays.map(({ name }) => name)).toEqual(['orphan']);
  });

  it('explains a failed step by object, pod and log', async () => {
    const at = await deployed('broken');
    await triggerPlan(engine.api, at, { plan: 'load' }, systemRandom);
    await planEnds(engine.api, NS, 'broken', { plan: 'load', status: 'FATAL_ERROR' });
    const found = await explainStep(engine.api, at, { plan: 'load', phase: 'main', step: 'load' });
    expect(found.objects).toMatchObject([{ kind: 'Job', name: 'broken-load', health: { state: 'failed' } }]);
    expect(found.pods).toMatchObject([{ container: 'load', exitCode: 3, logLines: ['table 7 is broken'] }]);
  });

  it('names the image that cannot be pulled and the event that says why, while the step waits', async () => {
    const at = await deployed('pulling');
    await triggerPlan(engine.api, at, { plan: 'web' }, systemRandom);
    const place = { plan: 'web', phase: 'main', step: 'web' };
    const isPulling = () => explainStep(engine.api, at, place).then(({ pods }) => pods[0]?.reason ?? '');
    await expect.poll(isPulling, { timeout: 20_000 }).toMatch(/ErrImagePull|ImagePullBackOff/);
    const image = 'registry/nonexistent:1';
    const ofStep = await explainStep(engine.api, at, place);
    expect(ofStep.pods[0]).toMatchObject({ container: 'web', image });
    expect(explainFailure(undefined, ofStep)).toMatchObject({
      cause: 'image-pull',
      headline: expect.stringContaining(`Image ${image} cannot be pulled`),
      chain: expect.arrayContaining([
        expect.objectContaining({ kind: 'event', text: expect.stringContaining(`Failed to pull image "${image}"`) }),
      ]),
    });
    const ofInstance = await explainStep(engine.api, at, undefined);
    expect(diagnosisOf(ofInstance)?.cause).toBe(`Image ${image} cannot be pulled`);
  });
});
