import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type JsonObject, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { TEST_FINGERPRINTS } from '@/lib/kudo/secrets/fingerprint-fixture';
import { outcomeOf } from '@/server/tasks/apply';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import {
  apply,
  configMap,
  deployment,
  job,
  oneStep,
  plan,
  pod,
  pond,
  pondCrd,
  remove,
  task,
} from '@/test/operators/templates';

describe('Apply', () => {
  let engine: VirtualEngine;
  let lab: Lab;

  beforeAll(async () => {
    engine = await startVirtualEngine();
    await engine.startController();
    lab = await Lab.open(engine, 'apply');
  });
  afterAll(() => engine?.stop());

  it('APL-01 a task without resources cannot be built', async () => {
    const after = await lab.deploy('apl01', oneStep([apply('none')]), {}, { status: 'FATAL_ERROR' });
    expect(lab.stepNow('apl01', 'deploy.main.run')?.message).toContain('failed to build task deploy.main.run.none');
    expect(after.spec?.planExecution?.planName ?? '').toBe('');
    expect(lab.reasons('apl01')).toContain('TaskBuildError');
  });

  it('APL-02 templates that render to nothing are done', async () => {
    const templates = { 'if.yaml': '{{ if eq .Params.ON "yes" }}\nkind: Never\n{{ end }}\n# nothing\n' };
    const spec = oneStep([apply('if', 'if.yaml')], { templates, parameters: [{ name: 'ON', default: 'no' }] });
    await lab.deploy('apl02', spec);
  });

  it('APL-03 a missing template ends the plan', async () => {
    await lab.deploy('apl03', oneStep([apply('a', 'missing.yaml')]), {}, { status: 'FATAL_ERROR' });
    expect(lab.reasons('apl03')).toContain('TaskRenderingError');
  });

  it('APL-04 a pod is created, and the task is done when it is ready', async () => {
    await lab.deploy('apl04', oneStep([apply('a', 'p.yaml')], { templates: { 'p.yaml': pod('apl04') } }));
    expect(stringAt(lab.find('pods', 'apl04')?.status, 'phase')).toBe('Running');
    expect(lab.writes('pods', 'apl04').map(({ method }) => method)).toEqual(['POST']);
  });

  it('APL-05 a new Job is created and waited for, without an error', async () => {
    const templates = { 'j.yaml': job('apl05', 'sleep 600') };
    await lab.create('apl05', await lab.operator('apl05', oneStep([apply('a', 'j.yaml')], { templates })));
    await engine.until('the Job exists', () => lab.find('jobs', 'apl05') !== undefined);
    await engine.pass(5_000);
    expect(lab.stepNow('apl05', 'deploy.main.run')).toMatchObject({
      status: 'IN_PROGRESS',
      message: expect.stringContaining('Job apl05'),
    });
  });

  it('APL-06 (differs, T-43) an object that cannot get its owner is fatal; a failed discovery is retried', async () => {
    const foreign = configMap(
      'apl06',
      '{}',
      '  ownerReferences: [{apiVersion: v1, kind: Pod, name: other, uid: other, controller: true}]\n',
    );
    const spec = oneStep([apply('a', 'c.yaml')], { templates: { 'c.yaml': foreign } });
    await lab.deploy('apl06', spec, {}, { status: 'FATAL_ERROR' });
    expect(lab.reasons('apl06')).toContain('TaskEnhancementError');
    engine.refuse(({ path }) =>
      /^\/(api|apis)(\/[^/]*){0,2}(\?|$)/.test(path) && !path.includes('namespaces') ? 500 : undefined,
    );
    const strange = { 'p.yaml': pond('apl06', '{}') };
    await lab.create('apl06b', await lab.operator('apl06b', oneStep([apply('a', 'p.yaml')], { templates: strange })));
    await lab.step('apl06b', 'deploy.main.run', 'ERROR');
    engine.refuse(undefined);
    await lab.ends('apl06b', 'deploy', { status: 'FATAL_ERROR' });
  });

  it('APL-07 (differs, C18) a kind that the cluster does not know is waited for for a while, then ends the plan', async () => {
    const templates = { 'x.yaml': 'apiVersion: nowhere.example.org/v1\nkind: Nothing\nmetadata: {name: x}\n' };
    const startedMs = engine.clock.now();
    await lab.deploy('apl07', oneStep([apply('a', 'x.yaml')], { templates }), {}, { status: 'FATAL_ERROR' });
    expect(engine.clock.now() - startedMs).toBeLessThan(25_000);
    expect(lab.reasons('apl07')).toContain('TaskEnhancementError');
  });

  it('APL-08 applies an object in a removed API version where the cluster still serves it and no newer one', async () => {
    const place = {
      group: 'settings.k8s.io',
      version: 'v1alpha1',
      resource: 'ponds',
      namespace: lab.namespace,
      name: 'old',
    };
    const crd = pondCrd
      .replaceAll('lab.example.org', place.group)
      .replaceAll('Pond', 'PodPreset')
      .replace('name: v1', 'name: v1alpha1')
      .replace('metadata:', 'metadata:\n  annotations: {api-approved.kubernetes.io: unapproved}');
    const object = pond('old', '{a: 1}')
      .replace('lab.example.org/v1', 'settings.k8s.io/v1alpha1')
      .replace('Pond', 'PodPreset');
    await lab.deploy('apl08-crd', oneStep([apply('crd', 'crd.yaml')], { templates: { 'crd.yaml': crd } }));
    // A controller reads what the cluster serves when it starts.
    await engine.stopController();
    await engine.startController();
    await lab.deploy('apl08-old', oneStep([apply('old', 'old.yaml')], { templates: { 'old.yaml': object } }));
    expect(await lab.engine.run(lab.engine.people.get(place))).toMatchObject({ spec: { a: 1 } });
  });

  it('APL-08 APL-09 APL-15 a CRD, then an object of its kind; lists of such objects are replaced as a whole', async () => {
    const spec = {
      templates: { 'crd.yaml': pondCrd, 'pond.yaml': pond('apl08', '{fish: {{ .Params.FISH }}, deep: {a: 1}}') },
      tasks: [apply('crd', 'crd.yaml'), apply('pond', 'pond.yaml')],
      parameters: [{ name: 'FISH', default: '[carp, pike]' }],
      plans: { deploy: plan(['crd', 'crd'], ['pond', 'pond']) },
    };
    await lab.deploy('apl08', spec);
    expect(lab.find('ponds', 'apl08')?.spec).toEqual({ fish: ['carp', 'pike'], deep: { a: 1 } });
    const other = await Lab.open(engine, 'apply-two');
    await other.deploy('apl09', spec);
    await lab.edit('apl08', { parameters: { FISH: '[eel]' } }, 'deploy');
    expect(lab.find('ponds', 'apl08')?.spec).toEqual({ fish: ['eel'], deep: { a: 1 } });
    const [, patch] = lab.writes('ponds', 'apl08');
    expect([patch?.method, patch?.contentType]).toEqual(['PATCH', 'application/merge-patch+json']);
  });

  it('APL-10 an object records what was applied, without the record itself', async () => {
    await lab.deploy('apl10', oneStep([apply('a', 'c.yaml')], { templates: { 'c.yaml': configMap('apl10') } }));
    const record = lab.find('configmaps', 'apl10')?.metadata.annotations?.['kudo.dev/last-applied-configuration'];
    const applied = JSON.parse(record ?? '{}') as JsonObject;
    expect(objectAt(applied, 'data')).toEqual({ value: 'one' });
    expect(objectAt(applied, 'metadata', 'annotations')).not.toHaveProperty('kudo.dev/last-applied-configuration');
  });

  it.each([403, 422, 500])('APL-19 %i of the API is retried until it succeeds', async (code) => {
    const name = `apl19-${code}`;
    engine.refuse(({ method, path }) => (method === 'POST' && path.includes('/configmaps') ? code : undefined));
    const spec = oneStep([apply('a', 'c.yaml')], { templates: { 'c.yaml': configMap(name) } });
    await lab.create(name, await lab.operator(name, spec));
    const { message } = await lab.step(name, 'deploy.main.run', 'ERROR');
    expect(message).toContain(`refused by the test with ${code}`);
    engine.refuse(undefined);
    await lab.ends(name, 'deploy');
  });

  it('APL-20 APL-21 APL-26 an object gets the namespace of its Instance, an owner reference, and labels and annotations', async () => {
    const templates = {
      'd.yaml': deployment('apl20').replace('name: apl20\n', 'name: apl20\n  namespace: elsewhere\n'),
    };
    const { metadata, status } = await lab.deploy('apl20', oneStep([apply('a', 'd.yaml')], { templates }));
    const found = lab.find('deployments', 'apl20');
    expect(found?.metadata.ownerReferences).toEqual([
      {
        apiVersion: 'kudo.dev/v1beta1',
        kind: 'Instance',
        name: 'apl20',
        uid: metadata.uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
    expect(found?.metadata.annotations).toMatchObject({
      'kudo.dev/plan': 'deploy',
      'kudo.dev/phase': 'main',
      'kudo.dev/step': 'run',
      'kudo.dev/last-plan-execution-uid': status?.planStatus?.deploy?.uid,
    });
    expect(found?.metadata.annotations).not.toHaveProperty('kudo.dev/operator-version');
    expect(objectAt(found?.spec, 'template', 'metadata', 'annotations')).toEqual({ 'kudo.dev/operator-version': '1' });
  });

  it('APL-22 a ClusterRole has no owner and stays after the deletion of its Instance', async () => {
    const role = 'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: apl22}\nrules: []\n';
    await lab.deploy('apl22', oneStep([apply('a', 'r.yaml')], { templates: { 'r.yaml': role } }));
    expect(lab.find('clusterroles', 'apl22')?.metadata.ownerReferences).toBeUndefined();
    await lab.remove('instances', 'apl22');
    await engine.pass(60_000);
    expect(lab.find('instances', 'apl22')).toBeUndefined();
    expect(lab.find('clusterroles', 'apl22')).toBeDefined();
  });

  it('APL-27 a Job with the condition Failed ends the plan', async () => {
    const templates = { 'j.yaml': job('apl27', 'exit 1', '  backoffLimit: 0\n') };
    await lab.deploy('apl27', oneStep([apply('a', 'j.yaml')], { templates }), {}, { status: 'FATAL_ERROR' });
    expect(lab.reasons('apl27')).toContain('FailedTerminalStateError');
    expect(lab.reasons('apl27')).not.toContain('PlanFinished');
  });

  it('APL-28 a failed Job after a Deployment that is not ready counts only when the Deployment is ready', () => {
    const object = (kind: string, apiVersion: string, spec: JsonObject, status: JsonObject): KubeObject => ({
      apiVersion,
      kind,
      metadata: { name: 'apl28', generation: 1 },
      spec,
      status: { observedGeneration: 1, ...status },
    });
    const counts = (ready: number) => ({
      replicas: 1,
      updatedReplicas: 1,
      readyReplicas: ready,
      availableReplicas: ready,
    });
    const failed = object('Job', 'batch/v1', {}, { conditions: [{ type: 'Failed', status: 'True' }] });
    const outcome = (ready: number) =>
      outcomeOf([object('Deployment', 'apps/v1', { replicas: 1 }, counts(ready)), failed], {
        podsOf: () => [],
        fingerprints: TEST_FINGERPRINTS,
      });
    expect(outcome(0).state).toBe('waiting');
    expect(outcome(1)).toMatchObject({ state: 'fatal', reason: 'FailedTerminalStateError' });
  });

  it('APL-29 an object that one phase applies, another deletes and a third applies again exists at the end', async () => {
    const phase = (name: string, used: string) => ({ name, strategy: 'serial', steps: [{ name: 's', tasks: [used] }] });
    const phases = [phase('one', 'put'), phase('two', 'drop'), phase('three', 'put')];
    await lab.deploy('apl29', {
      templates: { 'c.yaml': configMap('apl29') },
      tasks: [apply('put', 'c.yaml'), remove('drop', 'c.yaml')],
      plans: { deploy: { strategy: 'serial', phases } },
    });
    expect(lab.find('configmaps', 'apl29')).toBeDefined();
    expect(lab.writes('configmaps', 'apl29').map(({ method }) => method)).toEqual(['POST', 'DELETE', 'POST']);
  });

  it('APL-30 an Instance in a template: the parent waits for its plan', async () => {
    const child = await lab.operator('apl30-child', oneStep([task('never', 'Dummy')]));
    const template = `apiVersion: kudo.dev/v1beta1\nkind: Instance\nmetadata: {name: apl30-inner}\nspec:\n  operatorVersion: {name: ${child}}\n`;
    const spec = oneStep([apply('a', 'i.yaml')], { templates: { 'i.yaml': template } });
    await lab.create('apl30', await lab.operator('apl30', spec));
    await lab.step('apl30-inner', 'deploy.main.run', 'IN_PROGRESS');
    await engine.pass(10_000);
    expect(lab.stepNow('apl30', 'deploy.main.run')).toMatchObject({
      status: 'IN_PROGRESS',
      message: expect.stringContaining('plan deploy is running'),
    });
    await lab.patch('operatorversions', child, {
      spec: { tasks: [{ name: 'never', kind: 'Dummy', spec: { done: true } }] },
    });
    await lab.patch('instances', 'apl30-inner', { spec: { planExecution: { planName: 'deploy', uid: 'again' } } });
    await lab.ends('apl30-inner', 'deploy');
    await lab.ends('apl30', 'deploy');
  });

  it('APL-31 (differs, T-41) the API refuses a label that is not a string; after five retries the plan ends', async () => {
    const templates = { 'd.yaml': deployment('apl31', { labels: ', level: 1' }) };
    await lab.create('apl31', await lab.operator('apl31', oneStep([apply('a', 'd.yaml')], { templates })));
    await lab.step('apl31', 'deploy.main.run', 'ERROR');
    await lab.ends('apl31', 'deploy', { status: 'FATAL_ERROR' });
  });
});
