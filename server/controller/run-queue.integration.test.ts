import { afterEach, describe, expect, it } from 'vitest';
import { formatTime } from '@/lib/clock/clock';
import { nameOf } from '@/lib/kube/object';
import { PLAN_METADATA_ANNOTATION } from '@/lib/kudo/names';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import { formatRunQueue, QUEUE_ANNOTATION, runQueueOf } from '@/lib/kudo/queue/run-queue';
import { previewToken, shortToken } from '@/lib/kudo/runs/preview-token';
import { REQUEST_ANNOTATION } from '@/lib/kudo/runs/run-request';
import type { OperatorVersionSpec } from '@/lib/kudo/types';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { done, never } from '@/test/operators/backup-operator';
import { plan, task } from '@/test/operators/templates';

const fails = task('fails', 'Dummy', { wantErr: true, fatal: true });
const operator: OperatorVersionSpec = {
  tasks: [never, done, fails],
  parameters: [
    { name: 'F', default: 'f', trigger: 'failing' },
    { name: 'A', default: 'a', trigger: 'deploy' },
    { name: 'B', default: 'b', trigger: 'backup' },
    { name: 'C', default: 'c', trigger: 'check' },
  ],
  plans: {
    deploy: plan(['run', 'done']),
    backup: plan(['save', 'done']),
    check: plan(['look', 'done']),
    long: plan(['wait', 'never']),
    failing: plan(['break', 'fails']),
    cleanup: plan(['tidy', 'never']),
  },
};

let engine: VirtualEngine;
let lab: Lab;

async function begin(): Promise<void> {
  engine = await startVirtualEngine();
  lab = await Lab.open(engine, 'queued');
  await engine.startController();
  await lab.deploy('db', operator);
}

afterEach(() => engine?.stop());

/** Names of the PlanRuns after the first deploy, in the order in which they started. */
const ran = () =>
  lab
    .runs('db')
    .filter((run) => nameOf(run) !== 'db-deploy-1')
    .sort((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
    .map(nameOf);
const queue = () => runQueueOf(lab.instance('db')).entries.map((entry) => entry.plan);
const set = (parameters: { [name: string]: string | null }) => lab.patch('instances', 'db', { spec: { parameters } });
const trigger = (planName: string, annotations = {}) =>
  lab.patch('instances', 'db', {
    metadata: { annotations },
    spec: { planExecution: { planName, uid: `by-hand-${planName}` } },
  });
const writeQueue = (text: string) =>
  lab.patch('instances', 'db', { metadata: { annotations: { [QUEUE_ANNOTATION]: text } } });
const runsLong = async () => {
  await trigger('long');
  await lab.run('db-long-1', 'IN_PROGRESS');
};
const endLong = () =>
  lab.patch('planruns', 'db-long-1', { spec: { skip: [{ phase: 'main', step: 'wait', reason: 'enough' }] } });
const stepOfLong = () => lab.instance('db').status?.planStatus?.long?.phases?.[0];

describe('the queue of an Instance', () => {
  it('runs the plans of one edit one after the other, in the order of the parameters, all with the new values', async () => {
    await begin();
    await set({ C: '3', B: '2', A: '1' });
    await engine.pass(20_000);
    expect(ran()).toEqual(['db-deploy-2', 'db-backup-1', 'db-check-1']);
    const runs = lab.runs('db');
    expect(runs.find((run) => nameOf(run) === 'db-deploy-2')?.status?.changes).toHaveLength(3);
    expect(runs.map(({ spec }) => spec?.cause)).toEqual(['Parameters', 'Parameters', 'Create', 'Parameters']);
    expect(queue()).toEqual([]);
    expect(lab.instance('db').metadata.annotations).not.toHaveProperty([QUEUE_ANNOTATION]);
    expect(actedUpon(lab.instance('db'))?.parameters).toEqual({ A: '1', B: '2', C: '3' });
  });

  it('takes edits and plans that are asked for while a plan runs, which keeps its values', async () => {
    await begin();
    await runsLong();
    await trigger('backup');
    await engine.pass(2_000);
    await set({ C: '3' });
    await engine.pass(2_000);
    await trigger('deploy');
    await engine.pass(2_000);
    expect(queue()).toEqual(['backup', 'check', 'deploy']);
    expect(lab.instance('db').spec?.planExecution).toMatchObject({ planName: 'long', uid: 'by-hand-long' });
    expect(actedUpon(lab.instance('db'))?.parameters).toEqual({});
    expect(lab.reasons('db').filter((reason) => reason === 'RunQueued')).toHaveLength(2);
    await endLong();
    await engine.pass(20_000);
    expect(ran()).toEqual(['db-long-1', 'db-backup-1', 'db-check-1', 'db-deploy-2']);
    expect(actedUpon(lab.instance('db'))?.parameters).toEqual({ C: '3' });
  });

  it('says of a run that waited whether it applied what its preview showed', async () => {
    await begin();
    await runsLong();
    const token = previewToken([], [], new Set());
    await trigger('backup', { [REQUEST_ANNOTATION]: JSON.stringify({ plan: 'backup', preview: token }) });
    await engine.pass(2_000);
    expect(runQueueOf(lab.instance('db')).entries).toMatchObject([{ plan: 'backup', preview: shortToken(token) }]);
    await endLong();
    const run = await lab.run('db-backup-1', 'COMPLETE');
    expect(run.status?.preview).toEqual({ digest: shortToken(token), matches: true });
  });

  it('keeps the place of a plan that waits and is asked for again', async () => {
    await begin();
    await runsLong();
    for (const each of ['backup', 'check', 'backup']) {
      await trigger(each);
      await engine.pass(2_000);
    }
    expect(queue()).toEqual(['backup', 'check']);
  });

  it('starts in the order that a person has given it, and not what the person has taken off', async () => {
    await begin();
    await runsLong();
    for (const each of ['backup', 'check', 'deploy']) {
      await trigger(each);
      await engine.pass(2_000);
    }
    const [backup, check, deploy] = runQueueOf(lab.instance('db')).entries;
    if (backup === undefined || check === undefined || deploy === undefined) throw new Error('something is missing');
    await writeQueue(formatRunQueue({ entries: [deploy, backup] }));
    await endLong();
    await engine.pass(20_000);
    expect(ran()).toEqual(['db-long-1', 'db-deploy-2', 'db-backup-1']);
  });

  it('forgets an edit that is taken back, and stores one whose plan was taken off', async () => {
    await begin();
    await runsLong();
    await set({ B: '2' });
    await engine.pass(2_000);
    expect(queue()).toEqual(['backup']);
    await set({ B: null });
    await engine.pass(2_000);
    expect(queue()).toEqual([]);
    await set({ C: '3' });
    await engine.pass(2_000);
    const { edit } = runQueueOf(lab.instance('db'));
    await writeQueue(formatRunQueue({ entries: [], ...(edit === undefined ? {} : { edit }) }));
    await endLong();
    await engine.pass(20_000);
    expect(ran()).toEqual(['db-long-1']);
    expect(actedUpon(lab.instance('db'))?.parameters).toEqual({ C: '3' });
  });

  it('is emptied by a deletion', async () => {
    await begin();
    await runsLong();
    await trigger('backup');
    await engine.pass(2_000);
    await lab.remove('instances', 'db');
    await lab.run('db-cleanup-1', 'IN_PROGRESS');
    expect(queue()).toEqual([]);
    expect(ran()).toEqual(['db-long-1', 'db-cleanup-1']);
  });
});

describe('a queue behind a plan that failed', () => {
  it('is held, which an event says, until a person starts what waits', async () => {
    await begin();
    await set({ F: '2', B: '2' });
    await engine.pass(20_000);
    expect([ran(), queue()]).toEqual([['db-failing-1'], ['backup']]);
    const said = lab.events('db').filter(({ reason }) => reason === 'QueueHeld');
    expect(said.map(({ message }) => message)).toEqual([
      'The queue is held because plan failing failed. Start a plan that waits, repeat the one that failed, or remove what waits.',
    ]);
    await trigger('backup');
    await lab.run('db-backup-1', 'COMPLETE');
    expect(queue()).toEqual([]);
  });

  it('lets an edit start that no run has acted upon: it may be the answer to the failure', async () => {
    await begin();
    await runsLong();
    await trigger('check');
    await engine.pass(2_000);
    await set({ B: '2' });
    await engine.pass(2_000);
    await lab.patch('planruns', 'db-long-1', { spec: { cancelled: true } });
    await engine.pass(20_000);
    expect(stepOfLong()?.status).toBe('FATAL_ERROR');
    // After a run that is complete the queue goes on.
    expect(ran()).toEqual(['db-long-1', 'db-backup-1', 'db-check-1']);
  });

  it('lets such an edit start also when its plan waited before', async () => {
    await begin();
    await runsLong();
    await trigger('check');
    await trigger('backup');
    await engine.pass(2_000);
    await set({ B: '2' });
    await engine.pass(2_000);
    await lab.patch('planruns', 'db-long-1', { spec: { cancelled: true } });
    await engine.pass(20_000);
    expect(ran()).toEqual(['db-long-1', 'db-backup-1', 'db-check-1']);
  });

  it('keeps a plan that waited before such an edit when the edit is taken back', async () => {
    await begin();
    await runsLong();
    await trigger('backup');
    await set({ B: '2' });
    await engine.pass(2_000);
    await set({ B: null });
    await engine.pass(2_000);
    await lab.patch('planruns', 'db-long-1', { spec: { cancelled: true } });
    await engine.pass(20_000);
    expect([ran(), queue()]).toEqual([['db-long-1'], ['backup']]);
  });

  it('stores an edit whose plan was taken off, although others wait', async () => {
    await begin();
    await runsLong();
    await set({ B: '2' });
    await engine.pass(2_000);
    await trigger('check');
    await engine.pass(2_000);
    const { entries, edit } = runQueueOf(lab.instance('db'));
    if (edit === undefined) throw new Error('the edit is missing');
    await writeQueue(formatRunQueue({ entries: entries.filter((entry) => entry.plan !== 'backup'), edit }));
    await lab.patch('planruns', 'db-long-1', { spec: { cancelled: true } });
    await engine.pass(20_000);
    expect([ran(), queue()]).toEqual([['db-long-1'], ['check']]);
    expect(actedUpon(lab.instance('db'))?.parameters).toEqual({ B: '2' });
    // It is still held, and still what a person may ask for.
    expect(lab.events('db').filter(({ reason }) => reason === 'QueueHeld')).not.toEqual([]);
    await trigger('backup');
    await engine.pass(20_000);
    expect([ran(), queue()]).toEqual([['db-long-1', 'db-backup-1', 'db-check-1'], []]);
  });

  it('stays held over a restart of the controller', async () => {
    await begin();
    await runsLong();
    await trigger('check');
    await engine.pass(2_000);
    await lab.patch('planruns', 'db-long-1', { spec: { cancelled: true } });
    await engine.pass(20_000);
    await engine.stopController();
    await engine.startController();
    await engine.pass(120_000);
    expect([ran(), queue()]).toEqual([['db-long-1'], ['check']]);
    await trigger('check');
    await engine.pass(20_000);
    expect([ran(), queue()]).toEqual([['db-long-1', 'db-check-1'], []]);
  });
});

describe('what a person writes into the queue', () => {
  it('starts what this person may start, and is believed for neither who nor why', async () => {
    await begin();
    await runsLong();
    const forged = { plan: 'check', uid: 'mine', cause: 'Schedule', at: '', by: 'admin', proof: 'x', reason: 'please' };
    await writeQueue(JSON.stringify({ entries: [forged] }));
    await endLong();
    const run = await lab.run('db-check-1', 'COMPLETE');
    expect(run.spec).toMatchObject({ cause: 'Manual', reason: 'please' });
    expect(run.spec?.requestedBy).not.toBe('admin');
    expect(run.spec?.uid).not.toBe('mine');
  });

  it('starts no plan that does not exist, is the cleanup, or deletes data and was not confirmed', async () => {
    await begin();
    const metadata = { annotations: { [PLAN_METADATA_ANNOTATION]: '{"backup":{"destructive":true}}' } };
    await lab.patch('operatorversions', 'db-1', { metadata });
    for (const [name, words] of [
      ['zip', 'plan zip does not exist in OperatorVersion db-1'],
      ['cleanup', 'plan cleanup runs only when the Instance is deleted'],
      ['backup', 'was not confirmed'],
    ]) {
      const forged = { plan: name, uid: `mine-${name}`, cause: 'Manual', at: '', confirmed: true, proof: 'x' };
      await writeQueue(JSON.stringify({ entries: [forged] }));
      await engine.pass(5_000);
      const said = lab.events('db').filter(({ reason }) => reason === 'QueueHeld');
      expect(String(said.at(-1)?.message)).toContain(words);
    }
    expect(ran()).toEqual([]);
  });

  it('starts a destructive plan that was confirmed when it was asked for', async () => {
    await begin();
    const metadata = { annotations: { [PLAN_METADATA_ANNOTATION]: '{"backup":{"destructive":true}}' } };
    await lab.patch('operatorversions', 'db-1', { metadata });
    await runsLong();
    await trigger('backup', { 'bravo.kudo.dev/confirm': 'backup/db' });
    await engine.pass(2_000);
    expect(lab.instance('db').metadata.annotations).not.toHaveProperty(['bravo.kudo.dev/confirm']);
    await endLong();
    await lab.run('db-backup-1', 'COMPLETE');
  });

  it('records the lock that a run broke which waited, and which run it undoes', async () => {
    await begin();
    await runsLong();
    const until = formatTime(engine.clock.now() + 3_600_000);
    const lock = JSON.stringify({ reason: 'sale', until });
    await lab.patch('instances', 'db', { metadata: { annotations: { 'bravo.kudo.dev/lock': lock } } });
    const request = JSON.stringify({ plan: 'backup', undoOf: 'db-deploy-1' });
    await trigger('backup', { 'bravo.kudo.dev/break-lock': 'fire', 'bravo.kudo.dev/request': request });
    await engine.pass(2_000);
    expect(queue()).toEqual(['backup']);
    await endLong();
    const { spec, status } = await lab.run('db-backup-1', 'COMPLETE');
    expect(spec?.undoOf).toBe('db-deploy-1');
    expect(status?.steering).toMatchObject([{ event: 'LockBroken', message: expect.stringContaining('fire') }]);
    expect(lab.instance('db').metadata.annotations).not.toHaveProperty(['bravo.kudo.dev/break-lock']);
  });
});

describe('a controller that dies', () => {
  /** The n-th write of the controller from now on, and every later one, is refused. */
  const dieAtWrite = (nth: number) => {
    let seen = 0;
    engine.refuse(({ method, path }) => {
      if (method === 'GET' || path.includes('/leases/')) return undefined;
      seen += 1;
      return seen >= nth ? 500 : undefined;
    });
  };

  it('at any write of two queued runs: each starts once, in their order, and none is lost', async () => {
    for (let nth = 1; nth <= 14; nth++) {
      await begin();
      dieAtWrite(nth);
      await set({ A: '1', B: '2', C: '3' });
      await engine.pass(3_000);
      await engine.stopController();
      engine.refuse(undefined);
      await engine.startController();
      await engine.pass(60_000);
      expect([nth, ran(), queue()]).toEqual([nth, ['db-deploy-2', 'db-backup-1', 'db-check-1'], []]);
      await engine.stop();
    }
    await begin();
  });
});
