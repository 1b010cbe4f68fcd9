import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { numberAt } from '@/lib/json/json';
import { extraConditionOf } from '@/lib/kudo/plan/conditions';
import { DEADLINES_ANNOTATION } from '@/lib/kudo/plan/deadlines';
import type { OperatorVersionSpec } from '@/lib/kudo/types';
import { type EngineWorld, startWorld } from './engine-fixture';
import { Lab } from './lab';
import { apply, configMap, deployment, job, oneStep, plan, pond, pondCrd, statefulSet, task } from './templates';

let world: EngineWorld;
let lab: Lab;

beforeAll(async () => {
  world = await startWorld();
  await world.startController();
  lab = await Lab.open(world, 'life');
});
afterAll(() => world?.stop());

const never = task('never', 'Dummy');
const done = task('done', 'Dummy', { done: true });
const errs = task('errs', 'Dummy', { wantErr: true });
const isIdle = (name: string) => (lab.instance(name).spec?.planExecution?.planName ?? '') === '';
const isStalled = (name: string) => extraConditionOf(lab.instance(name), 'Stalled') !== undefined;
const annotate = (name: string, text: string) =>
  lab.patch('instances', name, { metadata: { annotations: { [DEADLINES_ANNOTATION]: text } } });

/** deploy with that task; `B` starts `backup`. */
const withBackup = (...tasks: OperatorVersionSpec['tasks'] & object): OperatorVersionSpec => ({
  tasks: [...tasks, done],
  parameters: [
    { name: 'A', default: 'a', trigger: 'deploy' },
    { name: 'B', default: 'b', trigger: 'backup' },
  ],
  plans: { deploy: plan(['run', ...tasks.map(({ name }) => name)]), backup: plan(['save', 'done']) },
});

describe('a deadline', () => {
  it('ends the plan of a step that never becomes healthy, and names step, object and way out', async () => {
    const templates = { 'd.yaml': deployment('late', { image: 'nonexistent' }) };
    const version = await lab.operator('late', oneStep([apply('a', 'd.yaml')], { templates }));
    const started = world.clock.now();
    await lab.create('late', version, {}, { annotations: { [DEADLINES_ANNOTATION]: 'deploy.main.run=10m' } });
    await lab.ends('late', 'deploy', { status: 'FATAL_ERROR' });
    expect(world.clock.now() - started).toBeLessThan(10 * 60_000 + 10_000);
    const { message, status } = lab.stepNow('late', 'deploy.main.run') ?? {};
    expect(status).toBe('FATAL_ERROR');
    expect(message).toMatch(
      /^Step run of plan deploy is past its deadline of 10m\. It waited for this: Deployment late: /,
    );
    expect(message).toMatch(/ImagePull.*start the plan again, or give it more time/);
    expect(lab.reasons('late')).toEqual(expect.arrayContaining(['PlanStarted', 'DeadlineExceeded']));
    expect(lab.ready('late')).toMatchObject({ reason: 'PlanInFatalError' });
  });

  it('of a whole plan counts from its start, and of the version one is declared for all its Instances', async () => {
    const spec = withBackup(never);
    const version = await lab.operator('whole', spec);
    await lab.patch('operatorversions', version, { metadata: { annotations: { [DEADLINES_ANNOTATION]: '*=90s' } } });
    await lab.create('whole', version);
    await lab.ends('whole', 'deploy', { status: 'FATAL_ERROR' });
    expect(lab.instance('whole').status?.planStatus?.deploy?.message).toContain(
      'Plan deploy is past its deadline of 90s.',
    );
  });

  it('counts on over a restart of the controller, from the recorded start of the step', async () => {
    const version = await lab.operator('restarted', withBackup(never));
    await lab.create('restarted', version, {}, { annotations: { [DEADLINES_ANNOTATION]: 'deploy.main.run=5m' } });
    const { startedTimestamp } = await lab.step('restarted', 'deploy.main.run', 'IN_PROGRESS');
    expect(Date.parse(startedTimestamp ?? '')).toBeGreaterThan(world.clock.now() - 5_000);
    await world.pass(200_000);
    await world.stopController();
    await world.startController();
    await world.pass(90_000);
    expect(isIdle('restarted')).toBe(false);
    await world.pass(30_000);
    expect(lab.reasons('restarted')).toEqual(['PlanStarted', 'DeadlineExceeded']);
  });

  it('can be given, and given more, while the step waits; without one a step waits for ever', async () => {
    await lab.create('given', await lab.operator('given', withBackup(never)));
    await world.pass(3_600_000);
    expect(isIdle('given')).toBe(false);
    await annotate('given', 'deploy=2h');
    await world.pass(3_000_000);
    expect(isIdle('given')).toBe(false);
    await world.pass(700_000);
    expect(lab.instance('given').status?.planStatus?.deploy?.status).toBe('FATAL_ERROR');
  });

  it('that cannot be read does not count, and an event says why', async () => {
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

describe('a plan that makes no progress', () => {
  it('gives way to an edit that starts another plan, after five errors and half a minute', async () => {
    await lab.create('errs', await lab.operator('errs', withBackup(errs)));
    await lab.step('errs', 'deploy.main.run', 'ERROR');
    expect(isStalled('errs')).toBe(false);
    await lab.patch('instances', 'errs', { spec: { parameters: { B: 'two' } } });
    await world.pass(3_000);
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
      'ChangeWaits',
      'PlanSuperseded',
      'PlanStarted',
      'PlanFinished',
    ]);
    expect(lab.instance('errs').status?.conditions?.map(({ type }) => type)).toEqual(['Ready']);
  });

  it('gives way to another plan that a person starts', async () => {
    const templates = { 'd.yaml': deployment('pull', { image: 'nonexistent' }) };
    const spec = withBackup(apply('a', 'd.yaml'));
    await lab.create('pull', await lab.operator('pull', { ...spec, templates }));
    await lab.step('pull', 'deploy.main.run', 'IN_PROGRESS');
    await lab.patch('instances', 'pull', { spec: { planExecution: { planName: 'backup', uid: 'early' } } });
    await world.pass(2_000);
    expect(lab.reasons('pull')).toContain('ChangeRefused');
    expect(lab.instance('pull').spec?.planExecution?.planName).toBe('deploy');
    await world.until('it is stalled', () => isStalled('pull'), 300_000);
    expect(extraConditionOf(lab.instance('pull'), 'Stalled')?.message).toMatch(
      /^Plan deploy makes no progress: step run: Deployment pull: .*ImagePull.* An edit or another plan takes its place\.$/,
    );
    await lab.edit('pull', { planExecution: { planName: 'backup', uid: 'late' } }, 'backup');
  });

  it('gives way to another version', async () => {
    const spec = withBackup(never);
    await lab.create('moved', await lab.operator('moved', spec));
    const next = await lab.operator('moved', { ...spec, version: '2', plans: { deploy: plan(['run', 'done']) } });
    await lab.patch('instances', 'moved', { spec: { operatorVersion: { name: next } } });
    await world.pass(60_000);
    expect(extraConditionOf(lab.instance('moved'), 'ChangePending')?.reason).toBe('WaitsForPlan');
    await world.until('it moved', () => isIdle('moved'), 20 * 60_000);
    expect(lab.instance('moved').status?.planStatus?.deploy?.status).toBe('COMPLETE');
  });

  it('stays so over a restart, and is not called so once it moves', async () => {
    world.refuse(({ method, path }) => (method === 'POST' && path.includes('/configmaps') ? 403 : undefined));
    const templates = { 'c.yaml': configMap('mends') };
    await lab.create('mends', await lab.operator('mends', oneStep([apply('a', 'c.yaml')], { templates })));
    await world.until('it is stalled', () => isStalled('mends'), 300_000);
    await world.stopController();
    await world.startController();
    await world.pass(5_000);
    expect(isStalled('mends')).toBe(true);
    world.refuse(undefined);
    await lab.ends('mends', 'deploy');
    expect(isStalled('mends')).toBe(false);
  });

  it('is not a Job at work, however long, and one that waits for hours costs no writes', async () => {
    const templates = { 'j.yaml': job('long', 'sleep 1000000') };
    await lab.create('long', await lab.operator('long', oneStep([apply('a', 'j.yaml')], { templates })));
    await lab.step('long', 'deploy.main.run', 'IN_PROGRESS');
    await world.pass(10_000);
    const writes = lab.writes('instances', 'long').length;
    await world.pass(3 * 3_600_000);
    expect(lab.stepNow('long', 'deploy.main.run')).toMatchObject({
      status: 'IN_PROGRESS',
      message: 'Job long: 0 of 1 completed',
    });
    expect(isStalled('long')).toBe(false);
    expect(lab.writes('instances', 'long').length - writes).toBeLessThanOrEqual(1);
  });
});

describe('an edit while a plan runs', () => {
  it('that no plan can act upon is refused at once, and the plan goes on', async () => {
    await lab.create('wrong', await lab.operator('wrong', withBackup(never)));
    await lab.step('wrong', 'deploy.main.run', 'IN_PROGRESS');
    await lab.patch('instances', 'wrong', { spec: { parameters: { NONE: 'x' } } });
    await world.pass(3_000);
    expect(extraConditionOf(lab.instance('wrong'), 'ChangePending')).toMatchObject({
      reason: 'ChangeRefused',
      message: expect.stringContaining('parameter "NONE" is not defined'),
    });
    expect(lab.reasons('wrong')).toEqual(['PlanStarted', 'ChangeRefused']);
    await lab.patch('instances', 'wrong', { spec: { parameters: { NONE: null } } });
    await world.pass(3_000);
    expect(extraConditionOf(lab.instance('wrong'), 'ChangePending')).toBeUndefined();
  });

  it('that waits is acted upon after the plan, also when the controller was away between', async () => {
    const templates = { 'd.yaml': deployment('waits'), 'c.yaml': configMap('waits-saved', '{b: "{{ .Params.B }}"}') };
    const spec = withBackup(apply('a', 'd.yaml'));
    const tasks = [...(spec.tasks ?? []), apply('save', 'c.yaml')];
    const plans = { deploy: plan(['run', 'a']), backup: plan(['save', 'save']) };
    await lab.create('waits', await lab.operator('waits', { ...spec, templates, tasks, plans }));
    await lab.step('waits', 'deploy.main.run', 'IN_PROGRESS');
    await lab.patch('instances', 'waits', { spec: { parameters: { B: 'kept' } } });
    await world.pass(100);
    await world.stopController();
    await world.pass(60_000);
    await world.startController();
    await lab.ends('waits', 'backup');
    expect(lab.find('configmaps', 'waits-saved')?.data).toEqual({ b: 'kept' });
    expect(lab.instance('waits').status?.planStatus?.deploy?.status).toBe('COMPLETE');
  });
});

describe('what the API refuses', () => {
  it('T-19 C26 for a field that cannot be changed ends the plan after five tries, with object, field and way out', async () => {
    const templates = { 'j.yaml': job('t19', 'echo {{ .Params.V }}') };
    await lab.deploy('t19', oneStep([apply('a', 'j.yaml')], { templates, parameters: [{ name: 'V', default: '1' }] }));
    await lab.patch('instances', 't19', { spec: { parameters: { V: '2' } } });
    const { message: tried } = await lab.step('t19', 'deploy.main.run', 'ERROR');
    expect(tried).toContain('Will retry.');
    await lab.ends('t19', 'deploy', { status: 'FATAL_ERROR' });
    const { message } = lab.stepNow('t19', 'deploy.main.run') ?? {};
    expect(message).toMatch(
      /Job t19: spec\.template is immutable.*kubectl delete job t19 -n life.*or take the change back/,
    );
    expect(lab.reasons('t19')).toContain('ImmutableField');
    expect(lab.writes('jobs', 't19', 'PATCH').length).toBeLessThanOrEqual(7);
  });

  it('T-41 for an object of a wrong shape ends the plan', async () => {
    const templates = { 'd.yaml': deployment('t41', { labels: ', level: 1' }) };
    await lab.deploy('t41', oneStep([apply('a', 'd.yaml')], { templates }), {}, { status: 'FATAL_ERROR' });
    expect(lab.reasons('t41')).toContain('ObjectRefused');
  });

  it('C16 in a namespace that goes away ends the plan at once', async () => {
    const leaving = await Lab.open(world, 'leaving');
    const spec = { ...withBackup(never), templates: { 'c.yaml': configMap('c16') } };
    const tasks = [never, done, apply('a', 'c.yaml')];
    await leaving.create('c16', await leaving.operator('c16', { ...spec, tasks }), {}, { finalizers: ['test/hold'] });
    await leaving.step('c16', 'deploy.main.run', 'IN_PROGRESS');
    await leaving.remove('instances', 'c16');
    await leaving.remove('namespaces', 'leaving');
    await world.pass(5_000);
    const writes = leaving.writes('configmaps', 'c16').length;
    await world.pass(600_000);
    expect(leaving.writes('configmaps', 'c16').length - writes).toBe(0);
    await leaving.patch('instances', 'c16', { metadata: { finalizers: null } });
  });

  it('C18 because it does not know a kind is waited for, in words, and goes on when the kind has come', async () => {
    const templates = { 'pond.yaml': pond('c18', '{deep: {a: 1}}') };
    await lab.create('c18', await lab.operator('c18', oneStep([apply('a', 'pond.yaml')], { templates })));
    await world.pass(20_000);
    expect(lab.stepNow('c18', 'deploy.main.run')).toMatchObject({
      status: 'IN_PROGRESS',
      message: expect.stringMatching(
        /^waits for a kind: the cluster does not know the kind Pond in lab\.example\.org\/v1/,
      ),
    });
    const crd = oneStep([apply('crd', 'crd.yaml')], { templates: { 'crd.yaml': pondCrd } });
    await lab.deploy('c18-crd', crd);
    await lab.ends('c18', 'deploy');
  });
});

describe('C25 what keeps a step back', () => {
  const restricted = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  const open = (name: string) =>
    lab.put('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: restricted } });

  it.each<[string, string]>([
    ['Deployment', deployment('held')],
    ['StatefulSet', statefulSet('held')],
    ['Job', job('held')],
  ])('is said of a %s that may not make its pods', async (kind, template) => {
    const name = `held-${kind.toLowerCase()}`;
    await open(name);
    const place = new Lab(world, name);
    const spec = oneStep([apply('a', 'x.yaml')], { templates: { 'x.yaml': template } });
    await place.create('i', await place.operator('i', spec));
    await world.pass(120_000);
    expect(place.stepNow('i', 'deploy.main.run')?.message).toMatch(
      new RegExp(`^${kind} held: .*pods cannot be made: .*forbidden: violates PodSecurity`),
    );
    expect(extraConditionOf(place.instance('i'), 'Stalled')?.reason).toBe('ObjectInTrouble');
  });

  it('is said of a pod that no node has room for', async () => {
    const templates = { 'd.yaml': deployment('room', { podSpec: '      nodeSelector: {disk: none}\n' }) };
    await lab.create('room', await lab.operator('room', oneStep([apply('a', 'd.yaml')], { templates })));
    await world.pass(20_000);
    expect(lab.stepNow('room', 'deploy.main.run')?.message).toMatch(
      /^Deployment room: 0 of 1 available; pod room-[^:]+: Unschedulable: 0\/1 nodes are available/,
    );
  });

  it('is said of an operator within, by what keeps it back', async () => {
    await lab.operator('inner', oneStep([errs]));
    const kid = task('kid', 'KudoOperator', { package: 'inner', operatorVersion: '1', instanceName: 'inner-kid' });
    await lab.create('outer', await lab.operator('outer', oneStep([kid])));
    await world.pass(240_000);
    expect(lab.stepNow('outer', 'deploy.main.run')?.message).toMatch(
      /^Instance inner-kid: Plan deploy makes no progress: step run: .*dummy error/,
    );
    expect(isStalled('outer')).toBe(true);
  });
});

describe('C29 an object that somebody else changes back at once', () => {
  it('is written at most every ten seconds, and the step says so', async () => {
    const templates = { 'd.yaml': deployment('fight', { image: 'nonexistent', replicas: 3 }) };
    await lab.create('fight', await lab.operator('fight', oneStep([apply('a', 'd.yaml')], { templates })));
    await lab.step('fight', 'deploy.main.run', 'IN_PROGRESS');
    const stopper = new AbortController();
    const fight = async () => {
      const deployments = { group: 'apps', version: 'v1', resource: 'deployments', namespace: lab.namespace };
      const options = { signal: stopper.signal, resourceVersion: '0' };
      for await (const { object } of world.people.watch(deployments, options)) {
        if (object.metadata.name !== 'fight' || numberAt(object.spec, 'replicas') !== 3) continue;
        await world.people.patch({ ...deployments, name: 'fight' }, 'merge', { spec: { replicas: 2 } });
      }
    };
    fight().catch(() => undefined);
    await world.pass(45_000);
    const { message } = lab.stepNow('fight', 'deploy.main.run') ?? {};
    stopper.abort();
    const times = lab.writes('deployments', 'fight', 'PATCH').map(({ atMs }) => atMs);
    expect(times.length).toBeGreaterThan(2);
    const gaps = times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(10_000);
    expect(message).toContain('Deployment fight: was changed by somebody else since it was applied');
    await world.pass(60_000);
    expect(numberAt(lab.find('deployments', 'fight')?.spec, 'replicas')).toBe(3);
  });
});
