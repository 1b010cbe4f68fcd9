import { afterEach, describe, expect, it } from 'vitest';
import { CONFIRM_ANNOTATION, PLAN_METADATA_ANNOTATION } from '@/lib/kudo/names';
import type { PlanSchedule, PlanScheduleSpec } from '@/lib/kudo/schedules/plan-schedule';
import type { OperatorVersionSpec } from '@/lib/kudo/types';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { done, never } from '@/test/operators/backup-operator';
import { plan } from '@/test/operators/templates';

const MINUTE_MS = 60_000;

const operator: OperatorVersionSpec = {
  tasks: [never, done],
  parameters: [
    { name: 'A', default: 'a', trigger: 'deploy' },
    { name: 'B', default: 'b', trigger: 'backup' },
  ],
  plans: {
    deploy: plan(['run', 'done']),
    backup: plan(['save', 'done']),
    long: plan(['wait', 'never']),
  },
};

let engine: VirtualEngine;
let lab: Lab;

/** An engine whose clock says that, with a controller and the Instance `db`. */
async function begin(now: string): Promise<void> {
  engine = await startVirtualEngine({ startMs: Date.parse(now) });
  lab = await Lab.open(engine, 'scheduled');
  await engine.startController();
  await lab.deploy('db', operator);
}

afterEach(() => engine?.stop());

function schedule(spec: PlanScheduleSpec, name = 'nightly') {
  return lab.put('planschedules', {
    apiVersion: 'bravo.kudo.dev/v1alpha1',
    kind: 'PlanSchedule',
    metadata: { name, namespace: lab.namespace },
    spec: { instanceName: 'db', plan: 'backup', schedule: '0 * * * *', ...spec },
  });
}

const statusOf = (name = 'nightly') => (lab.find('planschedules', name) as PlanSchedule | undefined)?.status ?? {};
const outcomes = (name?: string) => (statusOf(name).history ?? []).map(({ slot, outcome }) => [slot, outcome]);
const backups = () => lab.runs('db').filter(({ spec }) => spec?.plan === 'backup');
const startsOf = (planName: string) =>
  lab.runs('db').flatMap(({ spec, status }) => (spec?.plan === planName ? [status?.startedAt?.slice(0, 16)] : []));

/** Time passes also while no controller runs, which has timers. */
async function passUntil(moment: string): Promise<void> {
  const durationMs = Date.parse(moment) - engine.clock.now();
  engine.clock.after(durationMs, () => undefined);
  await engine.pass(durationMs);
}

describe('a schedule', () => {
  it('starts its plan once a slot, says so in its status, and the run says why', async () => {
    await begin('2026-11-23T00:10:00Z');
    await schedule({});
    await passUntil('2026-11-23T03:30:00Z');
    expect(startsOf('backup')).toEqual(['2026-11-23T01:00', '2026-11-23T02:00', '2026-11-23T03:00']);
    expect(backups().map(({ spec, status }) => [spec?.cause, spec?.reason, status?.status])).toEqual(
      Array(3).fill(['Schedule', 'schedule nightly', 'COMPLETE']),
    );
    expect(statusOf()).toMatchObject({
      lastSlot: '2026-11-23T03:00:00Z',
      lastRun: 'db-backup-3',
      lastUid: backups()[2]?.spec?.uid,
      next: [4, 5, 6, 7, 8].map((hour) => `2026-11-23T0${hour}:00:00Z`),
    });
    expect(statusOf()).not.toHaveProperty('missed');
    // The sandbox keeps events for an hour, as Kubernetes does.
    expect(lab.reasons('nightly')).toEqual(['SlotStarted']);
  });

  it('writes the parameters that its plan asks for with the start', async () => {
    await begin('2026-11-23T00:10:00Z');
    const metadata = { annotations: { [PLAN_METADATA_ANNOTATION]: '{"backup":{"parameters":["B"]}}' } };
    await lab.patch('operatorversions', 'db-1', { metadata });
    await schedule({ parameters: { B: 'weekly' } });
    await passUntil('2026-11-23T01:30:00Z');
    expect(lab.instance('db').spec?.parameters).toMatchObject({ B: 'weekly' });
    expect(lab.runs('db').map(({ spec }) => spec?.plan)).toEqual(['backup', 'deploy']);
  });

  it('starts once in the night in which the clock is put forward', async () => {
    await begin('2026-03-28T23:50:00Z');
    await schedule({ schedule: '30 2 * * *', timeZone: 'Europe/Berlin' });
    await passUntil('2026-03-29T03:00:00Z');
    expect(startsOf('backup')).toEqual(['2026-03-29T01:00']);
  });

  it('starts once in the night in which the clock is put back', async () => {
    await begin('2026-10-24T23:50:00Z');
    await schedule({ schedule: '30 2 * * *', timeZone: 'Europe/Berlin' });
    await passUntil('2026-10-25T03:00:00Z');
    expect(startsOf('backup')).toEqual(['2026-10-25T00:30']);
  });
});

describe('one run a slot', () => {
  it('also when the controller ends between the start and the status, and another one takes over', async () => {
    await begin('2026-11-23T00:10:00Z');
    await schedule({});
    await passUntil('2026-11-23T00:59:00Z');
    engine.refuse(({ path, method }) => (path.includes('planschedules') && method === 'PUT' ? 500 : undefined));
    await engine.until('the backup is done', () => backups()[0]?.status?.status === 'COMPLETE');
    await engine.stopController();
    engine.refuse(undefined);
    expect(statusOf().lastSlot).toBeUndefined();
    await engine.startController();
    await engine.pass(5 * MINUTE_MS);
    expect(outcomes()).toEqual([['2026-11-23T01:00:00Z', 'Started']]);
    expect(backups()).toHaveLength(1);
  });

  it('also when another execution of the plan came after it meanwhile', async () => {
    await begin('2026-11-23T00:10:00Z');
    await schedule({});
    await passUntil('2026-11-23T00:59:00Z');
    engine.refuse(({ path, method }) => (path.includes('planschedules') && method === 'PUT' ? 500 : undefined));
    await engine.until('the backup is done', () => backups()[0]?.status?.status === 'COMPLETE');
    await engine.pass(2_000);
    await lab.edit('db', { planExecution: { planName: 'backup', uid: 'by-hand' } }, 'backup');
    await engine.stopController();
    engine.refuse(undefined);
    await engine.startController();
    await engine.pass(5 * MINUTE_MS);
    expect(backups().map(({ spec }) => spec?.cause)).toEqual(['Schedule', 'Manual']);
  });

  it('and a run that an edit asks for is not said to be of the schedule whose start was refused', async () => {
    await begin('2026-11-23T00:10:00Z');
    await schedule({});
    await passUntil('2026-11-23T00:59:00Z');
    engine.refuse(({ path, method }) => (path.endsWith('/instances/db') && method === 'PUT' ? 500 : undefined));
    await passUntil('2026-11-23T01:00:10Z');
    await engine.stopController();
    engine.refuse(undefined);
    await lab.patch('instances', 'db', { spec: { parameters: { B: 'other' } } });
    await engine.startController();
    await engine.until('the plan of the edit has run', () => backups()[0]?.status?.status === 'COMPLETE');
    expect(backups().map(({ spec }) => [spec?.cause, spec?.reason])).toEqual([['Parameters', undefined]]);
  });

  it('also when the answer to the start is lost', async () => {
    await begin('2026-11-23T00:10:00Z');
    await schedule({});
    await passUntil('2026-11-23T00:59:00Z');
    let refused = 0;
    engine.refuse(({ path, method }) => {
      if (!path.includes('/instances/db') || method !== 'PATCH' || refused > 1) return undefined;
      refused += 1;
      return 503;
    });
    await passUntil('2026-11-23T01:05:00Z');
    engine.refuse(undefined);
    expect(refused).toBeGreaterThan(0);
    expect(backups()).toHaveLength(1);
  });
});

describe('a slot that is missed', () => {
  it('is made up for once within its deadline, and the others count', async () => {
    await begin('2026-11-23T00:10:00Z');
    await schedule({});
    await engine.pass(MINUTE_MS);
    await engine.stopController();
    await passUntil('2026-11-23T04:20:00Z');
    await engine.startController();
    await engine.pass(5 * MINUTE_MS);
    expect(backups()).toHaveLength(1);
    expect(statusOf()).toMatchObject({ missed: 3 });
    expect(outcomes()).toEqual([['2026-11-23T04:00:00Z', 'Started']]);
    expect(lab.reasons('nightly')).toEqual(['SlotMissed', 'SlotStarted']);
  });

  it('is left alone with Skip, and the status says why', async () => {
    await begin('2026-11-23T00:10:00Z');
    await schedule({ missedRunPolicy: 'Skip' });
    await engine.pass(MINUTE_MS);
    await engine.stopController();
    await passUntil('2026-11-23T01:20:00Z');
    await engine.startController();
    await engine.pass(5 * MINUTE_MS);
    expect(backups()).toEqual([]);
    expect(statusOf().missed).toBe(1);
    expect(statusOf().problem).toContain('missedRunPolicy is Skip');
  });

  it('is none while the schedule is suspended, nor after', async () => {
    await begin('2026-11-23T00:10:00Z');
    await schedule({ suspend: true });
    await passUntil('2026-11-23T03:10:00Z');
    expect(statusOf().next).toEqual([]);
    await lab.patch('planschedules', 'nightly', { spec: { suspend: false } });
    await passUntil('2026-11-23T04:10:00Z');
    expect(outcomes()).toEqual([['2026-11-23T04:00:00Z', 'Started']]);
    expect(statusOf()).not.toHaveProperty('missed');
  });

  it('is none in a blackout', async () => {
    await begin('2026-11-23T00:10:00Z');
    await schedule({ blackouts: [{ start: '0 1 * * *', durationMinutes: 90 }] });
    await passUntil('2026-11-23T03:10:00Z');
    expect(startsOf('backup')).toEqual(['2026-11-23T03:00']);
    expect(outcomes().map(([, outcome]) => outcome)).toEqual(['Blackout', 'Blackout', 'Started']);
    expect(statusOf()).not.toHaveProperty('missed');
  });
});

describe('a busy Instance', () => {
  const occupy = async () => {
    await lab.patch('instances', 'db', { spec: { planExecution: { planName: 'long', uid: 'long-1' } } });
    await lab.step('db', 'long.main.wait', 'IN_PROGRESS');
  };
  const release = () =>
    lab.patch('planruns', 'db-long-1', { spec: { skip: [{ phase: 'main', step: 'wait', reason: 'enough' }] } });

  it('skips the slot with Forbid, with one event', async () => {
    await begin('2026-11-23T00:10:00Z');
    await schedule({});
    await occupy();
    await passUntil('2026-11-23T01:30:00Z');
    expect(outcomes()).toEqual([['2026-11-23T01:00:00Z', 'Skipped']]);
    expect(statusOf().problem).toBe('Instance db runs plan long.');
    expect(lab.reasons('nightly')).toEqual(['SlotSkipped']);
    await release();
    await passUntil('2026-11-23T02:30:00Z');
    expect(startsOf('backup')).toEqual(['2026-11-23T02:00']);
    expect(statusOf()).not.toHaveProperty('problem');
  });

  it('lets the slot wait with Wait, and starts it when the plan has ended', async () => {
    await begin('2026-11-23T00:10:00Z');
    await schedule({ concurrencyPolicy: 'Wait', schedule: '0 */4 * * *', startingDeadlineSeconds: 60 });
    await occupy();
    await passUntil('2026-11-23T06:20:00Z');
    expect(statusOf()).toMatchObject({ waitingSlot: '2026-11-23T04:00:00Z', problem: 'Instance db runs plan long.' });
    await release();
    await engine.pass(MINUTE_MS);
    expect(startsOf('backup')).toEqual(['2026-11-23T06:20']);
    expect(outcomes()).toEqual([['2026-11-23T04:00:00Z', 'Started']]);
    expect(statusOf()).not.toHaveProperty('waitingSlot');
  });

  it('gives the next slot the turn of one that waited until then', async () => {
    await begin('2026-11-23T00:10:00Z');
    await schedule({ concurrencyPolicy: 'Wait' });
    await occupy();
    await passUntil('2026-11-23T02:10:00Z');
    await release();
    await engine.pass(MINUTE_MS);
    expect(outcomes()).toEqual([
      ['2026-11-23T01:00:00Z', 'Skipped'],
      ['2026-11-23T02:00:00Z', 'Started'],
    ]);
    expect(statusOf().missed).toBe(1);
  });
});

describe('a start that is refused', () => {
  it.each([
    [{ plan: 'nothing' }, 'Plan nothing does not exist.'],
    [{ instanceName: 'nobody' }, 'Instance nobody does not exist.'],
    [{ parameters: { A: 'z' } }, 'cannot be asked for together'],
    [{ parameters: { UNKNOWN: 'z' } }, 'Parameter "UNKNOWN" is not defined'],
  ])('says why: %j', async (spec, problem) => {
    await begin('2026-11-23T00:10:00Z');
    await schedule(spec);
    await passUntil('2026-11-23T01:30:00Z');
    expect(statusOf().problem).toContain(problem);
    expect(outcomes()).toEqual([['2026-11-23T01:00:00Z', 'Refused']]);
    expect(lab.reasons('nightly')).toEqual(['SlotRefused']);
    expect(backups()).toEqual([]);
  });

  it('is that of a destructive plan which the schedule does not confirm', async () => {
    await begin('2026-11-23T00:10:00Z');
    const metadata = { annotations: { [PLAN_METADATA_ANNOTATION]: '{"backup":{"destructive":true}}' } };
    await lab.patch('operatorversions', 'db-1', { metadata });
    await schedule({});
    await passUntil('2026-11-23T01:30:00Z');
    expect(statusOf().problem).toContain('set spec.confirm to backup/db');
    await lab.patch('planschedules', 'nightly', { spec: { confirm: 'backup/db' } });
    await passUntil('2026-11-23T03:30:00Z');
    expect(startsOf('backup')).toEqual(['2026-11-23T02:00', '2026-11-23T03:00']);
    expect(lab.instance('db').metadata.annotations ?? {}).not.toHaveProperty([CONFIRM_ANNOTATION]);
  });

  it('is that of an expression that is none, until it is fixed', async () => {
    await begin('2026-11-23T00:10:00Z');
    await schedule({ schedule: 'often' });
    await engine.pass(MINUTE_MS);
    expect(statusOf().problem).toContain('The schedule "often" is no cron expression');
    expect(lab.reasons('nightly')).toEqual(['InvalidSchedule']);
    await lab.patch('planschedules', 'nightly', { spec: { schedule: '0 * * * *' } });
    await passUntil('2026-11-23T01:30:00Z');
    expect(outcomes()).toEqual([['2026-11-23T01:00:00Z', 'Started']]);
  });
});

it('a controller without the definition of schedules runs plans all the same', async () => {
  engine = await startVirtualEngine({ startMs: Date.parse('2026-11-23T00:10:00Z') });
  lab = await Lab.open(engine, 'scheduled');
  engine.refuse(({ path }) => (path.includes('planschedules') ? 404 : undefined));
  await engine.startController();
  await lab.deploy('db', operator);
  expect(lab.runs('db')).toHaveLength(1);
});
