import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { statusTree } from '@/cli/support/plan-tree';
import { stringAt } from '@/lib/json/json';
import { ACTED_UPON_ANNOTATION } from '@/lib/kudo/plan/acted-upon-annotation';
import { DEADLINES_ANNOTATION } from '@/lib/kudo/plan/deadlines';
import type { Instance, OperatorVersion, OperatorVersionSpec } from '@/lib/kudo/types';
import { activePlan } from '@/lib/kudo/view/plan-view';
import { awaitPlan } from '@/server/packages/await-plan';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { apply, configMap, job, oneStep, plan, remove, task } from '@/test/operators/templates';

/**
 * What users of KUDO suffered, one test each. Elsewhere: pruning of what templates no longer render
 * (server/self-heal/self-heal.integration.test.ts), two managers at once (server/controller/lease.test.ts and
 * e2e/robustness), the webhook's half of a manager that is down (server/webhook/webhook.integration.test.ts).
 */
let engine: VirtualEngine;
let lab: Lab;

beforeAll(async () => {
  engine = await startVirtualEngine();
  await engine.startController();
  lab = await Lab.open(engine, 'users');
});
afterAll(() => engine?.stop());

const never = task('never', 'Dummy');
const done = task('done', 'Dummy', { done: true });
const cleaning = (cleanup: OperatorVersionSpec['tasks'] & object): OperatorVersionSpec => ({
  templates: { 'c.yaml': configMap('kept') },
  tasks: [done, ...cleanup],
  plans: { deploy: plan(['run', 'done']), cleanup: plan(['clean', ...cleanup.map(({ name }) => name)]) },
});
const namespaceIsGone = (name: string) =>
  engine.until(`namespace ${name} is deleted`, () => lab.find('namespaces', name) === undefined);

describe('a namespace that is deleted with a cleanup plan in it', () => {
  it.each<[string, OperatorVersionSpec['tasks'] & object]>([
    ['that can be done', [remove('c', 'c.yaml')]],
    ['that wants to create something', [apply('c', 'c.yaml')]],
    ['that never ends', [never]],
    ['that fails', [task('fails', 'Dummy', { wantErr: true, fatal: true })]],
    ['that fails again and again', [task('errs', 'Dummy', { wantErr: true })]],
  ])('%s does not stay Terminating', async (what, cleanup) => {
    const name = what.replaceAll(' ', '-');
    const place = await Lab.open(engine, name);
    await place.deploy('i', cleaning(cleanup));
    expect(place.instance('i').metadata.finalizers).toEqual(['kudo.dev.instance.cleanup']);
    await place.remove('namespaces', name);
    await namespaceIsGone(name);
  });

  it('does not stay Terminating when the Instance was deleted before, and its cleanup failed', async () => {
    const place = await Lab.open(engine, 'failed-before');
    await place.deploy('i', cleaning([task('fails', 'Dummy', { wantErr: true, fatal: true })]));
    await place.remove('instances', 'i');
    await engine.pass(600_000);
    expect(place.instance('i').status?.planStatus?.cleanup?.status).toBe('FATAL_ERROR');
    await place.remove('namespaces', 'failed-before');
    await namespaceIsGone('failed-before');
    expect(place.reasons('i').filter((reason) => reason === 'PlanStarted').length).toBeLessThanOrEqual(2);
  });

  it('does not stay Terminating when the OperatorVersion was deleted first, while no controller ran', async () => {
    const place = await Lab.open(engine, 'version-first');
    await place.deploy('i', cleaning([remove('c', 'c.yaml')]));
    await engine.stopController();
    await place.remove('operatorversions', 'i-1');
    await place.remove('namespaces', 'version-first');
    await engine.pass(120_000);
    expect(lab.find('namespaces', 'version-first')).toBeDefined();
    await engine.startController();
    await namespaceIsGone('version-first');
  });
});

describe('while the manager is down', () => {
  it('Instances can be created and edited, and no edit is lost when it starts again', async () => {
    const spec = (name: string) =>
      oneStep([apply('a', 'c.yaml')], {
        templates: { 'c.yaml': configMap(name, '{v: "{{ .Params.V }}"}') },
        parameters: [{ name: 'V', default: 'one' }],
      });
    await lab.deploy('edited', spec('edited'));
    await engine.stopController();
    await lab.patch('instances', 'edited', { spec: { parameters: { V: 'two' } } });
    await lab.create('made', await lab.operator('made', spec('made')), { V: 'three' });
    await engine.startController();
    const value = (name: string) => stringAt(lab.find('configmaps', name), 'data', 'v');
    await engine.until('both are applied', () => value('edited') === 'two' && value('made') === 'three', 60_000);
  });
});

describe('between an accepted edit and the first reconcile', () => {
  it('the status does not show the COMPLETE of the execution before', async () => {
    await lab.deploy('gap', oneStep([done], { parameters: [{ name: 'V', default: 'one' }] }));
    const version = lab.find('operatorversions', 'gap-1') as OperatorVersion;
    await engine.stopController();
    const planExecution = { planName: 'deploy', uid: 'second', status: 'NEVER_RUN' };
    await lab.patch('instances', 'gap', { spec: { planExecution } });
    const triggered = lab.instance('gap');
    expect(triggered.status?.planStatus?.deploy?.status).toBe('COMPLETE');
    expect(activePlan(triggered, version)).toMatchObject({ name: 'deploy', status: 'PENDING', doneSteps: 0 });
    expect(JSON.stringify(statusTree(triggered, version))).not.toContain('COMPLETE');
    await engine.startController();
    await lab.ends('gap', 'deploy');
    expect(lab.instance('gap').status?.planStatus?.deploy?.uid).toBe('second');
  });

  it('a client that waits for the plan of an edit does not mistake the plan before for it', async () => {
    await engine.stopController();
    await lab.patch('instances', 'gap', { spec: { parameters: { V: 'two' } } });
    const recorded = lab.instance('gap').metadata.annotations?.[ACTED_UPON_ANNOTATION];
    let ended: Instance | undefined;
    const { people: api, clock } = engine;
    awaitPlan(api, { namespace: lab.namespace, instance: 'gap', clock, timeoutMs: 600_000 }).then((instance) => {
      ended = instance;
    });
    await engine.pass(30_000);
    expect(ended).toBeUndefined();
    await engine.startController();
    await engine.until('the plan has ended', () => ended !== undefined, 60_000);
    expect(ended?.metadata.annotations?.[ACTED_UPON_ANNOTATION]).not.toBe(recorded);
  });
});

describe('steps that finish in one reconcile', () => {
  /** What a watch sees of the steps of a plan with a task each, in order. */
  const seenOf = async (name: string, steps: [string, string][], tasks: OperatorVersionSpec['tasks'] & object) => {
    const seen = new Map<string, string[]>();
    const stopped = watchInstance(name, ({ status }) => {
      for (const { name: step = '', status: word = '' } of status?.planStatus?.deploy?.phases?.[0]?.steps ?? []) {
        const known = seen.get(step) ?? [];
        if (known.at(-1) !== word) seen.set(step, [...known, word]);
      }
    });
    await lab.deploy(name, { tasks, templates: { 'j.yaml': job(name) }, plans: { deploy: plan(...steps) } });
    stopped();
    return Object.fromEntries(seen);
  };

  it('are seen when the first begins and when all are COMPLETE', async () => {
    const steps: [string, string][] = ['one', 'two', 'three'].map((step) => [step, 'done']);
    expect(await seenOf('quick', steps, [done])).toEqual({
      one: ['IN_PROGRESS', 'COMPLETE'],
      two: ['PENDING', 'COMPLETE'],
      three: ['PENDING', 'COMPLETE'],
    });
  });

  it('do not hide a step that waits, nor the one after it', async () => {
    const steps: [string, string][] = [
      ['one', 'done'],
      ['two', 'run'],
      ['three', 'done'],
    ];
    expect(await seenOf('mixed', steps, [done, apply('run', 'j.yaml')])).toEqual({
      one: ['IN_PROGRESS', 'COMPLETE'],
      two: ['PENDING', 'IN_PROGRESS', 'COMPLETE'],
      three: ['PENDING', 'IN_PROGRESS', 'COMPLETE'],
    });
  });
});

describe('the pod of a finished Job', () => {
  it('does not make the Instance unready', async () => {
    await lab.deploy('over', oneStep([apply('a', 'j.yaml')], { templates: { 'j.yaml': job('over') } }));
    await engine.pass(10_000);
    const pods = engine.sandbox.api.list({ group: '', version: 'v1', resource: 'pods', namespace: lab.namespace });
    expect(pods.filter(({ metadata }) => metadata.labels?.['kudo.dev/instance'] === 'over')).toHaveLength(1);
    expect(lab.ready('over')).toMatchObject({ status: 'True', reason: 'ResourcesReady' });
  });
});

describe('a plan that cannot finish', () => {
  const stuck: OperatorVersionSpec = {
    tasks: [task('errs', 'Dummy', { wantErr: true }), done],
    parameters: [{ name: 'A', default: 'a', trigger: 'other' }],
    plans: { deploy: plan(['run', 'errs']), other: plan(['run', 'done']) },
  };

  it('is superseded by an edit', async () => {
    await lab.create('by-edit', await lab.operator('by-edit', stuck));
    await lab.step('by-edit', 'deploy.main.run', 'ERROR');
    await lab.patch('instances', 'by-edit', { spec: { parameters: { A: 'b' } } });
    await lab.ends('by-edit', 'other');
    expect(lab.reasons('by-edit')).toContain('PlanSuperseded');
  });

  it('is superseded by a trigger', async () => {
    await lab.create('by-trigger', await lab.operator('by-trigger', stuck));
    await lab.step('by-trigger', 'deploy.main.run', 'ERROR');
    await engine.pass(120_000);
    await lab.edit('by-trigger', { planExecution: { planName: 'other', uid: 'mine' } }, 'other');
    expect(lab.instance('by-trigger').status?.planStatus?.other?.uid).toBe('mine');
  });

  it('is ended by a deadline, and can be started again', async () => {
    const annotations = { [DEADLINES_ANNOTATION]: '*.*.*=2m' };
    await lab.create('by-deadline', await lab.operator('by-deadline', stuck), {}, { annotations });
    const { status } = await lab.ends('by-deadline', 'deploy', { status: 'FATAL_ERROR' });
    expect(lab.reasons('by-deadline')).toContain('DeadlineExceeded');
    await lab.edit('by-deadline', { planExecution: { planName: 'deploy', uid: 'again' } }, 'deploy', {
      status: 'FATAL_ERROR',
      not: status?.planStatus?.deploy?.uid,
    });
  });
});

/** Collects every state of an Instance that a watch sends, until stopped. */
function watchInstance(name: string, note: (instance: Instance) => void): () => void {
  const stopper = new AbortController();
  const target = { group: 'kudo.dev', version: 'v1beta1', resource: 'instances', namespace: lab.namespace };
  const run = async () => {
    for await (const event of engine.people.watch(target, { signal: stopper.signal, resourceVersion: '0' })) {
      if (event.object.metadata.name === name) note(event.object as Instance);
    }
  };
  run().catch(() => undefined);
  return () => stopper.abort();
}
