import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringAt } from '@/lib/json/json';
import { taskBuildProblem } from '@/lib/kudo/plan/build-check';
import type { ExecutionStatus, Task } from '@/lib/kudo/types';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { apply, configMap, deployment, oneStep, plan, pondCrd, remove, task } from '@/test/operators/templates';

let engine: VirtualEngine;
let lab: Lab;

beforeAll(async () => {
  engine = await startVirtualEngine();
  await engine.startController();
  lab = await Lab.open(engine, 'tasks');
});
afterAll(() => engine?.stop());

const toggle = (resources: string[], parameter: string): Task => task('t', 'Toggle', { resources, parameter });

describe('Delete', () => {
  const deleting = (name: string) => ({
    templates: { 'c.yaml': configMap(name) },
    tasks: [apply('put', 'c.yaml'), remove('drop', 'c.yaml')],
    plans: { deploy: plan(['put', 'put']), drop: plan(['drop', 'drop']) },
  });

  it('DEL-01 templates that render to nothing leave nothing to delete', async () => {
    await lab.deploy('del01', oneStep([remove('d', 'empty.yaml')], { templates: { 'empty.yaml': '# nothing\n' } }));
  });

  it('DEL-02 a missing template ends the plan', async () => {
    await lab.deploy('del02', oneStep([remove('d', 'none.yaml')]), {}, { status: 'FATAL_ERROR' });
    expect(lab.reasons('del02')).toContain('TaskRenderingError');
  });

  it('DEL-03 (differs) an object that cannot get its owner ends the plan, and an event says why', async () => {
    const foreign = '  ownerReferences: [{apiVersion: v1, kind: Pod, name: o, uid: o, controller: true}]\n';
    const templates = { 'c.yaml': configMap('del03', '{}', foreign) };
    await lab.deploy('del03', oneStep([remove('d', 'c.yaml')], { templates }), {}, { status: 'FATAL_ERROR' });
    expect(lab.reasons('del03')).toContain('TaskEnhancementError');
  });

  it('DEL-04 a missing object is done', async () => {
    await lab.deploy('del04', oneStep([remove('d', 'c.yaml')], { templates: { 'c.yaml': configMap('del04') } }));
    expect(lab.writes('configmaps', 'del04')).toEqual([]);
  });

  it('DEL-05 an object is deleted with foreground propagation, and the task waits for it', async () => {
    await lab.deploy('del05', deleting('del05'));
    await lab.edit('del05', { planExecution: { planName: 'drop', uid: 'd' } }, 'drop');
    expect(lab.find('configmaps', 'del05')).toBeUndefined();
    const [call] = lab.writes('configmaps', 'del05', 'DELETE');
    expect(`${call?.path} ${JSON.stringify(call?.body)}`).toContain('Foreground');
  });

  it('DEL-06 an object of a kind that no longer exists counts as deleted', async () => {
    const spec = {
      templates: {
        'crd.yaml': pondCrd,
        'pond.yaml': 'apiVersion: gone.example.org/v1\nkind: Gone\nmetadata: {name: g}\n',
      },
      tasks: [remove('d', 'pond.yaml')],
      plans: { deploy: plan(['run', 'd']) },
    };
    await lab.deploy('del06', spec);
  });

  it('DEL-07 the task waits for a finalizer of the object, and names it', async () => {
    await lab.deploy('del07', deleting('del07'));
    await lab.patch('configmaps', 'del07', { metadata: { finalizers: ['example.org/hold'] } });
    await lab.patch('instances', 'del07', { spec: { planExecution: { planName: 'drop', uid: 'd' } } });
    await engine.until(
      'it is being deleted',
      () => lab.find('configmaps', 'del07')?.metadata.deletionTimestamp !== undefined,
    );
    await engine.pass(30_000);
    expect(lab.stepNow('del07', 'drop.main.drop')).toMatchObject({
      status: 'IN_PROGRESS',
      message: expect.stringContaining('held by example.org/hold'),
    });
    expect(lab.writes('configmaps', 'del07', 'DELETE')).toHaveLength(1);
    await lab.patch('configmaps', 'del07', { metadata: { finalizers: null } });
    await lab.ends('del07', 'drop');
  });
});

describe('Toggle', () => {
  const spec = (name: string, value: string) =>
    oneStep([toggle(['c.yaml'], 'ON')], {
      templates: { 'c.yaml': configMap(name) },
      parameters: [{ name: 'ON', default: value }],
    });

  it.each([
    ['resources', toggle([], 'ON')],
    ['parameter', toggle(['c.yaml'], '')],
  ])('TOG-01 without %s it cannot be built', (what, built) => {
    expect(taskBuildProblem(built)).toContain(`${what} must not be empty`);
  });

  it.each([
    ['TOG-02', 'tog02', oneStep([toggle(['c.yaml'], 'NONE')], { templates: { 'c.yaml': configMap('tog02') } })],
    ['TOG-05', 'tog05a', spec('tog05a', 'notABooleanValue')],
    ['TOG-05', 'tog05b', spec('tog05b', '')],
    [
      'TOG-07',
      'tog07',
      oneStep([toggle(['c.yaml'], 'ON')], {
        templates: { 'c.yaml': configMap('tog07') },
        parameters: [{ name: 'ON', default: '{a: b}', 'value-type': 'map' }],
      }),
    ],
  ])('%s a parameter that is undefined, no boolean or a map ends the plan (%s)', async (_id, name, operator) => {
    await lab.deploy(name, operator, {}, { status: 'FATAL_ERROR' });
    expect(lab.reasons(name)).toContain('ToggleTaskError');
  });

  it('TOG-03 TOG-04 TOG-06 true applies, false deletes, and true applies again', async () => {
    await lab.deploy('tog03', spec('tog03', 'true'));
    expect(lab.find('configmaps', 'tog03')).toBeDefined();
    await lab.edit('tog03', { parameters: { ON: 'false' } }, 'deploy');
    expect(lab.find('configmaps', 'tog03')).toBeUndefined();
    await lab.edit('tog03', { parameters: { ON: 'T' } }, 'deploy');
    expect(lab.find('configmaps', 'tog03')).toBeDefined();
  });

  it('TOG-08 the task waits until the applied object is healthy', async () => {
    const operator = oneStep([toggle(['d.yaml'], 'ON')], {
      templates: { 'd.yaml': deployment('tog08', { image: 'nonexistent' }) },
      parameters: [{ name: 'ON', default: 'true' }],
    });
    await lab.create('tog08', await lab.operator('tog08', operator));
    await engine.until('the Deployment exists', () => lab.find('deployments', 'tog08') !== undefined);
    await engine.pass(20_000);
    expect(lab.stepNow('tog08', 'deploy.main.run')).toMatchObject({
      status: 'IN_PROGRESS',
      message: expect.stringMatching(/^Deployment tog08: .*ImagePull/),
    });
    expect(stringAt(lab.find('deployments', 'tog08')?.metadata.annotations, 'kudo.dev/plan')).toBe('deploy');
  });
});

describe('Dummy', () => {
  it.each<[string, string, object, ExecutionStatus]>([
    ['DUM-01 done', 'dum01', { done: true }, 'COMPLETE'],
    ['DUM-04 wantErr and fatal', 'dum04', { wantErr: true, fatal: true, done: true }, 'FATAL_ERROR'],
  ])('%s ends the plan at once', async (_id, name, spec, status) => {
    await lab.deploy(name, oneStep([task('d', 'Dummy', spec)]), {}, { status });
  });

  it.each<[string, string, object, ExecutionStatus]>([
    ['DUM-02 nothing said', 'dum02', {}, 'IN_PROGRESS'],
    ['DUM-03 wantErr beats done', 'dum03', { wantErr: true, done: true }, 'ERROR'],
  ])('%s never ends', async (_id, name, spec, status) => {
    await lab.create(name, await lab.operator(name, oneStep([task('d', 'Dummy', spec)])));
    const step = await lab.step(name, 'deploy.main.run', status);
    if (status === 'ERROR') expect(step.message).toContain('Will retry. dummy error');
    await engine.pass(60_000);
    expect(lab.stepNow(name, 'deploy.main.run')?.status).toBe(status);
  });
});
