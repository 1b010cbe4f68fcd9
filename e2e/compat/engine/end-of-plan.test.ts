import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import { admit } from '@/lib/kudo/admission/admit';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { inventoryOf } from '@/lib/kudo/inventory/inventory';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import { runHistory } from '@/lib/kudo/plan/run-history';
import { TEST_FINGERPRINTS } from '@/lib/kudo/secrets/fingerprint-fixture';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { apply, configMap, deployment, oneStep, plan, task } from '@/test/operators/templates';

let engine: VirtualEngine;
let lab: Lab;

beforeAll(async () => {
  engine = await startVirtualEngine();
  await engine.startController();
  lab = await Lab.open(engine, 'ends');
});
afterAll(() => engine?.stop());

const finished = (name: string) => lab.events(name).filter(({ reason }) => reason === 'PlanFinished');

/** An Instance whose deploy plan is COMPLETE by its status, while the write that empties `planExecution` fails. */
async function notYetCleared(name: string, saysEnd = true): Promise<void> {
  const { plans, ...spec } = oneStep([apply('first', 'first.yaml'), apply('second', 'second.yaml')]);
  const templates = { 'first.yaml': configMap(`${name}-first`), 'second.yaml': configMap(`${name}-second`) };
  const version = await lab.operator(name, {
    ...spec,
    templates,
    parameters: [{ name: 'P', trigger: 'other' }],
    plans: { ...plans, other: plan(['run', 'second']) },
  });
  const isOver = () => lab.find('instances', name) !== undefined && statusOf(name, 'deploy') === 'COMPLETE';
  engine.refuse(({ method, path }) => {
    const isLast = method === 'PUT' && path.endsWith(`/instances/${name}`);
    return (isLast || !saysEnd) && isOver() ? 500 : undefined;
  });
  await lab.create(name, version);
  await engine.until('deploy is COMPLETE', isOver);
  expect(lab.instance(name).spec?.planExecution?.planName).toBe('deploy');
}

/** The same, and the controller dies there: none of its later requests reaches the server. */
async function diesBeforeLastWrite(name: string): Promise<void> {
  await notYetCleared(name, false);
  await died();
  expect(finished(name)).toEqual([]);
}

async function died(): Promise<void> {
  engine.refuse(() => 500);
  await engine.stopController();
  engine.refuse(undefined);
}

/** An edit of `spec` as the webhook admits it. */
async function editAsAdmitted(name: string, spec: Instance['spec']): Promise<void> {
  const stored = lab.instance(name);
  const version = lab.find('operatorversions', stored.spec?.operatorVersion?.name ?? '') as OperatorVersion | undefined;
  const versions = { sent: version, stored: version, actedUpon: version };
  const sent = { ...stored, spec: { ...stored.spec, ...spec } };
  const answer = admit({
    operation: 'UPDATE',
    stored,
    sent,
    versions,
    newUid: 'new-uid',
    fingerprints: TEST_FINGERPRINTS,
    now: stored.metadata.creationTimestamp ?? '',
  });
  if (answer.instance === undefined) throw new Error(JSON.stringify(answer));
  await engine.run(engine.people.update({ ...INSTANCES, namespace: lab.namespace, name }, answer.instance));
}

const runsOf = (name: string) =>
  (inventoryOf(lab.instance(name))?.runs ?? []).map((run) => [run.plan, run.objects.map((entry) => entry.name)]);

const statusOf = (name: string, planName: string) => lab.instance(name).status?.planStatus?.[planName]?.status;

describe('a cleanup that failed', () => {
  it('CTL-09 CTL-10 ADM-58 keeps the Instance and says so in planExecution too, until a new uid starts it again', async () => {
    const templates = { 'taken.yaml': configMap('stuck-taken'), 'last.yaml': deployment('stuck-last') };
    const version = await lab.operator('stuck', {
      templates,
      tasks: [task('done', 'Dummy', { done: true }), apply('taken', 'taken.yaml'), apply('last', 'last.yaml')],
      plans: { deploy: plan(['run', 'done']), cleanup: plan(['first', 'taken'], ['second', 'last']) },
    });
    await lab.create('stuck', version);
    await lab.ends('stuck', 'deploy');
    const metadata = { name: 'stuck-taken', annotations: { 'somebody.example/s': 'mine' } };
    await lab.put('configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata });
    await lab.remove('instances', 'stuck');
    const execution = () => lab.instance('stuck').spec?.planExecution;
    await engine.until('the status says so', () => execution()?.status === 'FATAL_ERROR');
    expect(execution()).toMatchObject({
      planName: 'cleanup',
      uid: lab.instance('stuck').status?.planStatus?.cleanup?.uid,
    });
    await engine.pass(120_000);
    expect(lab.instance('stuck').metadata.finalizers).toEqual(['kudo.dev.instance.cleanup']);

    await lab.remove('configmaps', 'stuck-taken');
    await lab.patch('instances', 'stuck', { spec: { planExecution: { uid: 'again' } } });
    await lab.step('stuck', 'cleanup.main.second', 'IN_PROGRESS');
    await engine.until('the status says so', () => execution()?.status === 'IN_PROGRESS');
    expect(execution()).toEqual({ planName: 'cleanup', uid: 'again', status: 'IN_PROGRESS' });
    await engine.until('the Instance is deleted', () => lab.find('instances', 'stuck') === undefined);
  });
});

describe('a completed cleanup', () => {
  it('runs again under a new uid while another finalizer holds the Instance, and announces its end each time', async () => {
    const version = await lab.operator('held', {
      templates: { 'c.yaml': configMap('held-mark') },
      tasks: [task('done', 'Dummy', { done: true }), apply('mark', 'c.yaml')],
      plans: { deploy: plan(['run', 'done']), cleanup: plan(['run', 'mark']) },
    });
    await lab.create('held', version, {}, { finalizers: ['somebody.example/hold'] });
    await lab.ends('held', 'deploy');
    await lab.remove('instances', 'held');
    const execution = () => lab.instance('held').spec?.planExecution;
    await engine.until('the status says so', () => execution()?.status === 'COMPLETE');
    expect(lab.instance('held').metadata.finalizers).toEqual(['somebody.example/hold']);
    await lab.remove('configmaps', 'held-mark');
    await lab.patch('instances', 'held', { spec: { planExecution: { planName: 'cleanup', uid: 'again' } } });
    await engine.until('the cleanup runs again', () => lab.find('configmaps', 'held-mark') !== undefined);
    await engine.until('the status says so', () => lab.instance('held').status?.planStatus?.cleanup?.uid === 'again');
    await engine.pass(20_000);
    expect(execution()).toEqual({ planName: 'cleanup', uid: 'again', status: 'COMPLETE' });
    await lab.patch('instances', 'held', { metadata: { finalizers: null } });
    await engine.until('the Instance is deleted', () => lab.find('instances', 'held') === undefined);
  });
});

describe('the end of a plan', () => {
  it('is announced once, even when the write that empties planExecution fails at first', async () => {
    await notYetCleared('late');
    await engine.pass(20_000);
    engine.refuse(undefined);
    await lab.ends('late', 'deploy');
    expect(finished('late').map(({ message, count }) => [message, count ?? 1])).toEqual([
      ['Execution of plan deploy finished with status COMPLETE', 1],
    ]);
  });

  it('is announced, and its inventory is recorded, when a user starts the next plan at the same moment', async () => {
    await notYetCleared('quick');
    await engine.pass(1_000);
    const { uid } = lab.instance('quick').status?.planStatus?.deploy ?? {};
    await lab.patch('instances', 'quick', { spec: { planExecution: { planName: 'other', uid: 'mine' } } });
    engine.refuse(undefined);
    await lab.ends('quick', 'other');
    expect(finished('quick').map(({ message }) => message)).toEqual([
      'Execution of plan deploy finished with status COMPLETE',
      'Execution of plan other finished with status COMPLETE',
    ]);
    const runs = inventoryOf(lab.instance('quick'))?.runs ?? [];
    expect(runs.map((run) => [run.plan, run.objects.map((entry) => entry.name)])).toEqual([
      ['deploy', ['quick-first']],
      ['other', ['quick-second']],
    ]);
    expect(runs[0]?.uid).toBe(uid);
  });

  it.each<[string, JsonObject | null]>([
    ['empties planExecution', null],
    ['writes its end', { status: 'COMPLETE' }],
  ])('is announced, and its inventory is recorded, when a user %s at the same moment', async (what, planExecution) => {
    const name = what.split(' ')[0] ?? '';
    await notYetCleared(name);
    await lab.patch('instances', name, { spec: { planExecution } });
    engine.refuse(undefined);
    await engine.pass(20_000);
    expect(lab.instance(name).spec?.planExecution?.planName ?? '').toBe('');
    expect(finished(name)).toHaveLength(1);
    expect(runsOf(name)).toEqual([['deploy', [`${name}-first`, `${name}-second`]]]);
    expect(runHistory(lab.instance(name)).map((run) => run.plan)).toEqual(['deploy']);
    const { resourceVersion } = lab.instance(name).metadata;
    await engine.pass(120_000);
    expect(lab.instance(name).metadata.resourceVersion).toBe(resourceVersion);
  });

  it('is announced by the next controller when the first one dies before the last write', async () => {
    await diesBeforeLastWrite('dies');
    await engine.startController();
    await lab.ends('dies', 'deploy');
    expect(finished('dies').map(({ message }) => message)).toEqual([
      'Execution of plan deploy finished with status COMPLETE',
    ]);
    expect(runsOf('dies')).toEqual([['deploy', ['dies-first', 'dies-second']]]);
  });

  it('is announced by the next controller when the first one dies right after the last write', async () => {
    const templates = { 'a.yaml': configMap('lost') };
    const version = await lab.operator('lost', oneStep([apply('a', 'a.yaml')], { templates }));
    const isIdle = () => (lab.instance('lost').spec?.planExecution?.planName ?? '') === '';
    const isOver = () => lab.find('instances', 'lost') !== undefined && statusOf('lost', 'deploy') === 'COMPLETE';
    engine.refuse(({ path }) => (path.endsWith('/events') && isOver() ? 500 : undefined));
    await lab.create('lost', version);
    await engine.until('everything is written', () => isOver() && isIdle());
    await died();
    expect(finished('lost')).toEqual([]);
    await engine.startController();
    await engine.until('the status says so', () => finished('lost').length > 0, 5_000);
    await engine.stopController();
    await engine.startController();
    await engine.pass(5_000);
    expect(finished('lost').map(({ message, count }) => [message, count ?? 1])).toEqual([
      ['Execution of plan deploy finished with status COMPLETE', 1],
    ]);
  });

  it('is the event of its failure when the first controller dies before the last write', async () => {
    const tasks = [task('run', 'Dummy', { wantErr: true, fatal: true })];
    const version = await lab.operator('bad', { tasks, plans: { deploy: plan(['only', 'run']) } });
    const isOver = () => lab.find('instances', 'bad') !== undefined && statusOf('bad', 'deploy') === 'FATAL_ERROR';
    engine.refuse(() => (isOver() ? 500 : undefined));
    await lab.create('bad', version);
    await engine.until('deploy has failed', isOver);
    await died();
    await engine.startController();
    await lab.ends('bad', 'deploy', { status: 'FATAL_ERROR' });
    const said = lab.events('bad').map(({ reason, message }) => [reason, message]);
    expect(said.at(-1)).toEqual([
      'PlanInFatalError',
      'Error during execution: fatal error: ends/bad failed in deploy.main.only.run: dummy error',
    ]);
    expect(finished('bad')).toEqual([]);
  });

  for (const webhook of ['with', 'without']) {
    it(`is announced, and its inventory is recorded, when the controller dies and a user starts the next plan at the same moment, ${webhook} a webhook`, async () => {
      const name = `then-${webhook}`;
      await diesBeforeLastWrite(name);
      const { uid } = lab.instance(name).status?.planStatus?.deploy ?? {};
      if (webhook === 'with') await editAsAdmitted(name, { parameters: { P: 'new' } });
      else await lab.patch('instances', name, { spec: { planExecution: { planName: 'other', uid: 'mine' } } });
      await engine.startController();
      await lab.ends(name, 'other');
      expect(finished(name).map(({ message }) => message)).toEqual([
        'Execution of plan deploy finished with status COMPLETE',
        'Execution of plan other finished with status COMPLETE',
      ]);
      const [deploy] = inventoryOf(lab.instance(name))?.runs ?? [];
      expect(deploy).toMatchObject({ plan: 'deploy', uid });
      expect(runHistory(lab.instance(name)).map((run) => run.plan)).toEqual(['deploy', 'other']);
      expect(actedUpon(lab.instance(name))?.before).toBeUndefined();
    });
  }

  it('is announced by the next controller when the first one dies before the finalizer is removed', async () => {
    const templates = { 'a.yaml': configMap('gone-a') };
    const version = await lab.operator('gone', {
      templates,
      tasks: [apply('a', 'a.yaml'), task('done', 'Dummy', { done: true })],
      plans: { deploy: plan(['run', 'a']), cleanup: plan(['run', 'done']) },
    });
    await lab.create('gone', version);
    await lab.ends('gone', 'deploy');
    const isOver = () => lab.find('instances', 'gone') !== undefined && statusOf('gone', 'cleanup') === 'COMPLETE';
    engine.refuse(() => (isOver() ? 500 : undefined));
    await lab.remove('instances', 'gone');
    await engine.until('cleanup is COMPLETE', isOver);
    await died();
    await engine.startController();
    await engine.until('the Instance is deleted', () => lab.find('instances', 'gone') === undefined);
    await engine.pass(1_000);
    expect(finished('gone').map(({ message }) => message)).toEqual([
      'Execution of plan deploy finished with status COMPLETE',
      'Execution of plan cleanup finished with status COMPLETE',
    ]);
  });
});
