import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import { BREAK_LOCK_ANNOTATION, LOCK_ANNOTATION, lockOf } from '@/lib/kudo/lock/instance-lock';
import type { PlanSchedule } from '@/lib/kudo/schedules/plan-schedule';
import type { OperatorVersionSpec } from '@/lib/kudo/types';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { done, never } from '@/test/operators/backup-operator';
import { apply, configMap, plan, task } from '@/test/operators/templates';

const MINUTE_MS = 60_000;
const UNTIL = '2026-11-23T12:00:00Z';
const WORDS = `is locked until ${UNTIL}: Black Friday`;

const operator: OperatorVersionSpec = {
  templates: { 'state.yaml': configMap('{{ .Name }}-state', '{a: "{{ .Params.A }}"}') },
  tasks: [never, done, apply('state', 'state.yaml')],
  parameters: [
    { name: 'A', default: 'a', trigger: 'deploy' },
    { name: 'B', default: 'b', trigger: 'backup' },
  ],
  plans: { deploy: plan(['run', 'state']), backup: plan(['save', 'done']), long: plan(['wait', 'never']) },
};
/** A child of that operator. */
const parent: OperatorVersionSpec = {
  templates: { 'child.yaml': 'A: "{{ .Params.A }}"' },
  tasks: [
    task('child', 'KudoOperator', {
      package: 'db',
      operatorVersion: '1',
      instanceName: 'db',
      parameterFile: 'child.yaml',
    }),
  ],
  parameters: [{ name: 'A', default: 'a', trigger: 'deploy' }],
  plans: { deploy: plan(['run', 'child']) },
};

let engine: VirtualEngine;
let lab: Lab;

beforeEach(async () => {
  engine = await startVirtualEngine({ startMs: Date.parse('2026-11-23T09:58:00Z') });
  lab = await Lab.open(engine, 'locked');
  await engine.startController();
});
afterEach(() => engine?.stop());

const annotate = (annotations: JsonObject, spec?: JsonObject) =>
  lab.patch('instances', 'db', { metadata: { annotations }, ...(spec === undefined ? {} : { spec }) });
const lock = () => annotate({ [LOCK_ANNOTATION]: JSON.stringify({ reason: 'Black Friday', until: UNTIL }) });
const trigger = (planName: string, uid: string) => ({ planExecution: { planName, uid } });
const value = () => lab.find('configmaps', 'db-state')?.data;
const plansRun = () => lab.runs('db').map(({ metadata }) => metadata.name);
const passUntil = async (moment: string) => {
  const durationMs = Date.parse(moment) - engine.clock.now();
  engine.clock.after(durationMs, () => undefined);
  await engine.pass(durationMs);
};

describe('a controller without a webhook', () => {
  it('takes the start of a locked Instance back and says why', async () => {
    await lab.deploy('db', operator);
    await lock();
    await annotate({}, trigger('backup', 'b1'));
    await engine.pass(MINUTE_MS);
    expect(lab.instance('db').spec?.planExecution ?? {}).toEqual({});
    expect(plansRun()).toEqual(['db-deploy-1']);
    const said = lab.events('db').filter(({ reason }) => reason === 'ChangeRefused');
    expect(said.map(({ message }) => message)).toEqual([
      expect.stringContaining(`Instance locked/db ${WORDS}. Unlock it with`),
    ]);
  });

  it('takes off an author that a person made up', async () => {
    await lab.deploy('db', operator);
    const lie = { reason: 'Black Friday', until: UNTIL, by: 'the boss' };
    await annotate({ [LOCK_ANNOTATION]: JSON.stringify(lie) });
    await engine.pass(MINUTE_MS);
    expect(lockOf(lab.instance('db'))).toEqual({ reason: 'Black Friday', until: UNTIL });
  });

  it('leaves an edit, and starts its plan the moment the lock is over', async () => {
    await lab.deploy('db', operator);
    await lock();
    await annotate({}, { parameters: { A: 'new' } });
    await passUntil('2026-11-23T11:59:58Z');
    expect(lab.ready('db')).toMatchObject({
      status: 'False',
      reason: 'ChangeRefused',
      message: expect.stringContaining(WORDS),
    });
    expect(value()).toEqual({ a: 'a' });
    await passUntil('2026-11-23T12:00:05Z');
    expect(value()).toEqual({ a: 'new' });
  });

  it('starts it when it is unlocked', async () => {
    await lab.deploy('db', operator);
    await lock();
    await annotate({}, { parameters: { A: 'new' } });
    await engine.pass(MINUTE_MS);
    await annotate({ [LOCK_ANNOTATION]: null });
    await engine.pass(MINUTE_MS);
    expect(value()).toEqual({ a: 'new' });
    expect(lab.reasons('db')).not.toContain('LockBroken');
  });

  it('breaks the lock for one start, which the run and an event say', async () => {
    await lab.deploy('db', operator);
    await lock();
    await annotate({ [BREAK_LOCK_ANNOTATION]: 'disk full' }, trigger('backup', 'b1'));
    await engine.pass(MINUTE_MS);
    const run = await lab.run('db-backup-1', 'COMPLETE');
    const broken = `The lock until ${UNTIL} (Black Friday) was broken: disk full`;
    expect(run.spec?.reason).toBe('disk full');
    expect(run.status?.steering).toEqual([expect.objectContaining({ event: 'LockBroken', message: broken })]);
    const said = lab.events('db').filter(({ reason }) => reason === 'LockBroken');
    expect(said.map(({ message }) => message)).toEqual([expect.stringContaining(broken)]);
    expect(lab.instance('db').metadata.annotations).not.toHaveProperty([BREAK_LOCK_ANNOTATION]);
    await annotate({}, trigger('backup', 'b2'));
    await engine.pass(MINUTE_MS);
    expect(plansRun()).toEqual(['db-backup-1', 'db-deploy-1']);
  });

  it('goes on with what runs, and with self-heal', async () => {
    await lab.deploy('db', operator);
    await annotate({ 'bravo.kudo.dev/self-heal': 'on' }, trigger('long', 'l1'));
    await lab.step('db', 'long.main.wait', 'IN_PROGRESS');
    await lock();
    await engine.pass(MINUTE_MS);
    expect(lab.instance('db').spec?.planExecution).toMatchObject({ planName: 'long' });
    await annotate({}, { planExecution: { planName: 'long', uid: 'l1', status: 'COMPLETE' } });
    await engine.pass(MINUTE_MS);
    await lab.remove('configmaps', 'db-state');
    await engine.pass(5 * MINUTE_MS);
    expect(value()).toEqual({ a: 'a' });
  });

  it('refuses the slot of a schedule by the clock of the cluster, and starts the first one after the lock', async () => {
    await lab.deploy('db', operator);
    await lock();
    await lab.put('planschedules', {
      apiVersion: 'bravo.kudo.dev/v1alpha1',
      kind: 'PlanSchedule',
      metadata: { name: 'hourly', namespace: lab.namespace },
      spec: { instanceName: 'db', plan: 'backup', schedule: '0 * * * *' },
    });
    await passUntil('2026-11-23T12:10:00Z');
    const { history = [] } = (lab.find('planschedules', 'hourly') as PlanSchedule).status ?? {};
    expect(history.map(({ outcome, message = '' }) => [outcome, message.includes(WORDS)])).toEqual([
      ['Refused', true],
      ['Refused', true],
      ['Started', false],
    ]);
  });

  it('runs the first plan of an Instance that is created locked', async () => {
    const annotations = { [LOCK_ANNOTATION]: JSON.stringify({ reason: 'Black Friday', until: UNTIL }) };
    await lab.create('db', await lab.operator('db', operator), {}, { annotations });
    await lab.ends('db', 'deploy');
  });

  it('lets the step of a parent wait that changes a locked child', async () => {
    await lab.operator('db', operator);
    await lab.deploy('all', parent);
    await lock();
    await lab.patch('instances', 'all', { spec: { parameters: { A: 'new' } } });
    await engine.pass(MINUTE_MS);
    expect(lab.stepNow('all', 'deploy.main.run')?.message).toContain(`The child Instance locked/db ${WORDS}`);
    await annotate({ [LOCK_ANNOTATION]: null });
    await lab.ends('all', 'deploy');
    expect(value()).toEqual({ a: 'new' });
  });
});
