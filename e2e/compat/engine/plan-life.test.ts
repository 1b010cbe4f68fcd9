import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extraConditionOf } from '@/lib/kudo/plan/conditions';
import { DEADLINES_ANNOTATION } from '@/lib/kudo/plan/deadlines';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { done, errs, never, withBackup } from '@/test/operators/backup-operator';
import { apply, configMap, deployment, job, oneStep, plan } from '@/test/operators/templates';

let engine: VirtualEngine;
let lab: Lab;

beforeAll(async () => {
  engine = await startVirtualEngine();
  await engine.startController();
  lab = await Lab.open(engine, 'life');
});
afterAll(() => engine?.stop());
const isIdle = (name: string) => (lab.instance(name).spec?.planExecution?.planName ?? '') === '';
const isStalled = (name: string) => extraConditionOf(lab.instance(name), 'Stalled') !== undefined;
const annotate = (name: string, text: string) =>
  lab.patch('instances', name, { metadata: { annotations: { [DEADLINES_ANNOTATION]: text } } });

describe('a deadline', () => {
  it('ends the plan of a step that never becomes healthy, and names step, object and remedy', async () => {
    const templates = { 'd.yaml': deployment('late', { image: 'nonexistent' }) };
    const version = await lab.operator('late', oneStep([apply('a', 'd.yaml')], { templates }));
    const started = engine.clock.now();
    await lab.create('late', version, {}, { annotations: { [DEADLINES_ANNOTATION]: 'deploy.main.run=10m' } });
    await lab.ends('late', 'deploy', { status: 'FATAL_ERROR' });
    expect(engine.clock.now() - started).toBeLessThan(10 * 60_000 + 10_000);
    const { message, status } = lab.stepNow('late', 'deploy.main.run') ?? {};
    expect(status).toBe('FATAL_ERROR');
    expect(message).toMatch(/^Step run of plan deploy is past its deadline of 10m\. It waited for: Deployment late: /);
    expect(message).toMatch(/ImagePull.*start the plan again, or allow more time/);
    expect(lab.reasons('late')).toEqual(expect.arrayContaining(['PlanStarted', 'DeadlineExceeded']));
    expect(lab.ready('late')).toMatchObject({ reason: 'PlanInFatalError' });
  });

  it('of a plan counts from the start of the plan, and an OperatorVersion declares it for all its Instances', async () => {
    const spec = withBackup(never);
    const version = await lab.operator('whole', spec);
    await lab.patch('operatorversions', version, { metadata: { annotations: { [DEADLINES_ANNOTATION]: '*=90s' } } });
    await lab.create('whole', version);
    await lab.ends('whole', 'deploy', { status: 'FATAL_ERROR' });
    expect(lab.instance('whole').status?.planStatus?.deploy?.message).toContain(
      'Plan deploy is past its deadline of 90s. The plan did not finish: step run of phase main. Fix the cause',
    );
  });

  it('continues after a restart of the controller, from the recorded start of the step', async () => {
    const version = await lab.operator('restarted', withBackup(never));
    await lab.create('restarted', version, {}, { annotations: { [DEADLINES_ANNOTATION]: 'deploy.main.run=5m' } });
    const { startedTimestamp } = await lab.step('restarted', 'deploy.main.run', 'IN_PROGRESS');
    expect(Date.parse(startedTimestamp ?? '')).toBeGreaterThan(engine.clock.now() - 5_000);
    await engine.pass(200_000);
    await engine.stopController();
    await engine.startController();
    await engine.pass(90_000);
    expect(isIdle('restarted')).toBe(false);
    await engine.pass(30_000);
    expect(lab.reasons('restarted')).toEqual(['PlanStarted', 'DeadlineExceeded']);
  });

  it('can be set and extended while the step waits; without one a step waits for ever', async () => {
    await lab.create('given', await lab.operator('given', withBackup(never)));
    await engine.pass(3_600_000);
    expect(isIdle('given')).toBe(false);
    await annotate('given', 'deploy=2h');
    await engine.pass(3_000_000);
    expect(isIdle('given')).toBe(false);
    await engine.pass(700_000);
    expect(lab.instance('given').status?.planStatus?.deploy?.status).toBe('FATAL_ERROR');
  });

  it('that is invalid is ignored, and an event says why', async () => {
    const annotations = { [DEADLINES_ANNOTATION]: 'deploy=soon, deploy.main.run=1h' };
    await lab.create('strange', await lab.operator('strange', oneStep([done])), {}, { annotations });
    await lab.ends('strange', 'deploy');
    const said = lab.events('strange').find(({ reason }) => reason === 'InvalidDeadline');
    expect(said?.message).toBe(
      'Instance strange, annotation bravo.kudo.dev/deadlines: "soon" of deploy is no duration; write for example 90s, 10m or 1h30m',
    );
  });

  it('leaves an Instance that can be deployed again', async () => {
    await annotate('given', '');
    await lab.edit('given', { planExecution: { planName: 'backup', uid: 'saved' } }, 'backup');
    expect(lab.ready('given')?.status).toBe('True');
  });
});

describe('a stalled plan', () => {
  it('is superseded by an edit that starts another plan, after five errors and half a minute', async () => {
    await lab.create('errs', await lab.operator('errs', withBackup(errs)));
    await lab.step('errs', 'deploy.main.run', 'ERROR');
    expect(isStalled('errs')).toBe(false);
    await lab.patch('instances', 'errs', { spec: { parameters: { B: 'two' } } });
    await engine.pass(3_000);
    expect(extraConditionOf(lab.instance('errs'), 'ChangePending')).toMatchObject({
      reason: 'WaitsForPlan',
      message: 'A change waits until plan deploy ends; then plan backup runs.',
    });
    await lab.ends('errs', 'backup');
    expect(lab.instance('errs').status?.planStatus?.deploy).toMatchObject({
      status: 'FATAL_ERROR',
      message: 'Plan backup took the place of this execution.',
    });
    expect(lab.reasons('errs')).toEqual([
      'PlanStarted',
      'ChangeQueued',
      'PlanSuperseded',
      'PlanStarted',
      'PlanFinished',
    ]);
    expect(lab.instance('errs').status?.conditions?.map(({ type }) => type)).toEqual(['Ready']);
  });

  it('is superseded by another plan that a user starts', async () => {
    const templates = { 'd.yaml': deployment('pull', { image: 'nonexistent' }) };
    const spec = withBackup(apply('a', 'd.yaml'));
    await lab.create('pull', await lab.operator('pull', { ...spec, templates }));
    await lab.step('pull', 'deploy.main.run', 'IN_PROGRESS');
    await lab.patch('instances', 'pull', { spec: { planExecution: { planName: 'backup', uid: 'early' } } });
    await engine.pass(2_000);
    expect(lab.reasons('pull')).toContain('RunQueued');
    expect(lab.instance('pull').spec?.planExecution?.planName).toBe('deploy');
    await engine.until('the plan is stalled', () => isStalled('pull'), 300_000);
    expect(extraConditionOf(lab.instance('pull'), 'Stalled')?.message).toMatch(
      /^Plan deploy is stalled: step run: Deployment pull: .*ImagePull.* Fix the cause, or start another plan to replace this one\.$/,
    );
    await lab.edit('pull', { planExecution: { planName: 'backup', uid: 'late' } }, 'backup');
  });

  it('is superseded by an upgrade', async () => {
    const spec = withBackup(never);
    await lab.create('moved', await lab.operator('moved', spec));
    const next = await lab.operator('moved', { ...spec, version: '2', plans: { deploy: plan(['run', 'done']) } });
    await lab.patch('instances', 'moved', { spec: { operatorVersion: { name: next } } });
    await engine.pass(60_000);
    expect(extraConditionOf(lab.instance('moved'), 'ChangePending')?.reason).toBe('WaitsForPlan');
    await engine.until('the upgrade has ended', () => isIdle('moved'), 20 * 60_000);
    expect(lab.instance('moved').status?.planStatus?.deploy?.status).toBe('COMPLETE');
  });

  it('stays stalled over a restart, and no longer when it makes progress', async () => {
    engine.refuse(({ method, path }) => (method === 'POST' && path.includes('/configmaps') ? 403 : undefined));
    const templates = { 'c.yaml': configMap('recovers') };
    await lab.create('recovers', await lab.operator('recovers', oneStep([apply('a', 'c.yaml')], { templates })));
    await engine.until('the plan is stalled', () => isStalled('recovers'), 300_000);
    await engine.stopController();
    await engine.startController();
    await engine.pass(5_000);
    expect(isStalled('recovers')).toBe(true);
    engine.refuse(undefined);
    await lab.ends('recovers', 'deploy');
    expect(isStalled('recovers')).toBe(false);
  });

  it('is not a running Job, however long it runs, and a plan that waits for hours costs no writes', async () => {
    const templates = { 'j.yaml': job('long', 'sleep 1000000') };
    await lab.create('long', await lab.operator('long', oneStep([apply('a', 'j.yaml')], { templates })));
    await lab.step('long', 'deploy.main.run', 'IN_PROGRESS');
    await engine.pass(10_000);
    const writes = lab.writes('instances', 'long').length;
    await engine.pass(3 * 3_600_000);
    expect(lab.stepNow('long', 'deploy.main.run')).toMatchObject({
      status: 'IN_PROGRESS',
      message: 'Job long: 0 of 1 completed',
    });
    expect(isStalled('long')).toBe(false);
    expect(lab.writes('instances', 'long').length - writes).toBeLessThanOrEqual(1);
  });
});

describe('an edit while a plan runs', () => {
  it('that no plan can act upon is refused at once, and the plan continues', async () => {
    await lab.create('wrong', await lab.operator('wrong', withBackup(never)));
    await lab.step('wrong', 'deploy.main.run', 'IN_PROGRESS');
    await lab.patch('instances', 'wrong', { spec: { parameters: { NONE: 'x' } } });
    await engine.pass(3_000);
    expect(extraConditionOf(lab.instance('wrong'), 'ChangePending')).toMatchObject({
      reason: 'ChangeRefused',
      message: expect.stringContaining('parameter "NONE" is not defined'),
    });
    expect(lab.reasons('wrong')).toEqual(['PlanStarted', 'ChangeRefused']);
    await lab.patch('instances', 'wrong', { spec: { parameters: { NONE: null } } });
    await engine.pass(3_000);
    expect(extraConditionOf(lab.instance('wrong'), 'ChangePending')).toBeUndefined();
  });

  it('waits for the end of the plan, even when the controller restarts in between', async () => {
    const templates = { 'd.yaml': deployment('waits'), 'c.yaml': configMap('waits-saved', '{b: "{{ .Params.B }}"}') };
    const spec = withBackup(apply('a', 'd.yaml'));
    const tasks = [...(spec.tasks ?? []), apply('save', 'c.yaml')];
    const plans = { deploy: plan(['run', 'a']), backup: plan(['save', 'save']) };
    await lab.create('waits', await lab.operator('waits', { ...spec, templates, tasks, plans }));
    await lab.step('waits', 'deploy.main.run', 'IN_PROGRESS');
    await lab.patch('instances', 'waits', { spec: { parameters: { B: 'kept' } } });
    await engine.pass(100);
    await engine.stopController();
    await engine.pass(60_000);
    await engine.startController();
    await lab.ends('waits', 'backup');
    expect(lab.find('configmaps', 'waits-saved')?.data).toEqual({ b: 'kept' });
    expect(lab.instance('waits').status?.planStatus?.deploy?.status).toBe('COMPLETE');
  });
});

describe('the status in planExecution', () => {
  it.each(['ERROR', 'PENDING', 'NEVER_RUN'])(
    'is corrected when a user writes %s over a running plan',
    async (status) => {
      const name = `told-${status.toLowerCase().replace('_', '-')}`;
      await lab.create(name, await lab.operator(name, oneStep([never])));
      await lab.step(name, 'deploy.main.run', 'IN_PROGRESS');
      const { uid } = lab.instance(name).status?.planStatus?.deploy ?? {};
      await lab.patch('instances', name, { spec: { planExecution: { status } } });
      await engine.pass(2_000);
      expect(lab.instance(name).spec?.planExecution).toEqual({ planName: 'deploy', uid, status: 'IN_PROGRESS' });
    },
  );
});
