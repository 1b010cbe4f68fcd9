import { describe, expect, it } from 'vitest';
import { cloneJson } from '@/lib/json/json';
import { CLEANUP_FINALIZER } from '@/lib/kudo/names';
import type { PlanExecution } from '@/lib/kudo/types';
import { decideAdmission } from './decision';
import { create, deploying, instance, parameter, runs, update, version } from './decision-fixture';

describe('admission of a new Instance', () => {
  it('ADM-01 a new Instance is scheduled to deploy', () => {
    const decision = create(instance(), version('v1'));
    expect(decision.outcome).toBe('allowed-with');
    expect(decision.instance?.spec?.planExecution).toEqual({ planName: 'deploy', uid: 'new-uid' });
  });

  it('ADM-02 whatever plan the person sent, deploy runs', () => {
    const decision = create(instance({}, { planName: 'backup', uid: 'mine' }), version('v1'));
    expect(decision.instance?.spec?.planExecution).toEqual({ planName: 'deploy', uid: 'new-uid' });
  });

  it('ADM-03 without its OperatorVersion it is an error 500', () => {
    expect(create(instance(), undefined)).toMatchObject({ outcome: 'error', code: 500 });
  });

  it('ADM-04 without a deploy plan it is denied', () => {
    const decision = create(instance(), version('v1', [], ['update']));
    expect(decision).toMatchObject({ outcome: 'denied', code: 403 });
    expect(decision.message).toMatch(/^failed to create an Instance ns\/i: /);
  });

  it('ADM-05 ADM-06 the finalizer is there exactly once when there is a cleanup plan, else not at all', () => {
    const sent = instance();
    sent.metadata.finalizers = [CLEANUP_FINALIZER];
    expect(create(sent, version('v1')).instance?.metadata.finalizers).toEqual([CLEANUP_FINALIZER]);
    expect(create(instance(), version('v1')).instance?.metadata.finalizers).toEqual([CLEANUP_FINALIZER]);
    expect(create(instance(), version('v1', [], ['deploy'])).instance?.metadata.finalizers).toBeUndefined();
  });

  it('PRM-08 a required parameter without default must have a value', () => {
    const operatorVersion = version('v1', [parameter('a', { required: true })]);
    expect(create(instance(), operatorVersion).outcome).toBe('denied');
    expect(create(instance({ a: '' }), operatorVersion).outcome).toBe('denied');
    expect(create(instance({ a: 'x' }), operatorVersion).outcome).toBe('allowed-with');
  });

  it('PRM-09 PRM-22 a default is enough for a required parameter, the text null too', () => {
    expect(create(instance(), version('v1', [parameter('a', { required: true, default: 'x' })])).outcome).toBe(
      'allowed-with',
    );
    const map = parameter('m', { required: true, default: 'null\n', 'value-type': 'map' });
    expect(create(instance(), version('v1', [map])).outcome).toBe('allowed-with');
  });

  it('PRM-19 an unknown parameter is accepted on create, with a warning', () => {
    const decision = create(instance({ stray: '1' }), version('v1'));
    expect(decision.outcome).toBe('allowed-with');
    expect(decision.warnings).toHaveLength(1);
  });

  it('PRM-20 PRM-21 defaults of immutable parameters are written down, given values are kept', () => {
    const operatorVersion = version('v1', [parameter('p', { immutable: true, default: 'd' })]);
    expect(create(instance(), operatorVersion).instance?.spec?.parameters).toEqual({ p: 'd' });
    expect(create(instance({ p: 'mine' }), operatorVersion).instance?.spec?.parameters).toEqual({ p: 'mine' });
  });

  it('T-29 a name that cannot be a label value is denied', () => {
    const sent = instance();
    sent.metadata.name = 'x'.repeat(64);
    expect(create(sent, version('v1')).outcome).toBe('denied');
  });
});

describe('admission of an update: plans', () => {
  const v1 = version('v1');

  it('ADM-08 metadata changes need no OperatorVersion', () => {
    const old = instance({}, deploying);
    const labelled = cloneJson(old);
    labelled.metadata.labels = { a: 'b' };
    const request = { operation: 'UPDATE' as const, old, new: labelled, newUid: 'n' };
    expect(decideAdmission(request)).toEqual({ outcome: 'allowed', rule: 'metadata' });
  });

  it('ADM-09 ADM-28 an unchanged update is allowed and starts nothing', () => {
    expect(update(instance(), v1, {})).toEqual({ outcome: 'allowed', rule: 'metadata' });
  });

  it('ADM-10 an idle Instance runs the plan that is asked for, under a new uid', () => {
    const decision = update(instance(), v1, { execution: { planName: 'deploy', uid: 'mine' } });
    expect(decision.instance?.spec?.planExecution).toEqual(runs('deploy'));
  });

  it('ADM-11 a plan that does not exist is denied', () => {
    expect(update(instance(), v1, { execution: { planName: 'nope' } }).message).toBe('plan nope does not exist');
  });

  it('ADM-12 cleanup cannot be asked for', () => {
    expect(update(instance(), v1, { execution: { planName: 'cleanup' } })).toMatchObject({
      outcome: 'denied',
      rule: 'N8',
    });
  });

  it.each([
    ['ADM-13 another uid starts the plan again', { planName: 'deploy', uid: 'other', status: 'IN_PROGRESS' }],
    ['ADM-14 an empty uid starts the plan again', { planName: 'deploy' }],
  ] as const)('%s', (_, execution) => {
    const decision = update(instance({}, deploying), v1, { execution });
    expect(decision.instance?.spec?.planExecution).toEqual(runs('deploy'));
  });

  it('ADM-15 (Bravo) another plan waits for the running one, which goes on', () => {
    const decision = update(instance({}, deploying), v1, { execution: { planName: 'update' } });
    expect(decision).toMatchObject({ outcome: 'allowed-with', rule: 'N5', queued: [{ plan: 'update' }] });
    expect(decision).not.toHaveProperty('plan');
    expect(decision.instance?.spec?.planExecution).toEqual(deploying);
  });

  it('ADM-16 no plan cannot replace a running one', () => {
    expect(update(instance({}, deploying), v1, { execution: {} })).toMatchObject({ outcome: 'denied', rule: 'N6' });
  });

  it.each(['ADM-17 COMPLETE', 'ADM-18 FATAL_ERROR'])('%s empties planExecution', (id) => {
    const status = id.slice('ADM-17 '.length) as 'COMPLETE' | 'FATAL_ERROR';
    const decision = update(instance({}, deploying), undefined, { execution: { ...deploying, status } });
    expect(decision.instance?.spec?.planExecution).toEqual({});
  });

  it('ADM-19 IN_PROGRESS is stored as it is', () => {
    const before = instance({}, { ...deploying, status: 'PENDING' });
    expect(update(before, v1, { execution: deploying })).toEqual({ outcome: 'allowed', rule: 'N14' });
  });

  it('T-17 the status of a running plan can be written although the OperatorVersion is gone or has changed', () => {
    const strict = version('v1', [parameter('new', { required: true })], ['update']);
    const execution: PlanExecution = { ...deploying, status: 'COMPLETE' };
    expect(update(instance({}, deploying), strict, { execution }).rule).toBe('N12');
    expect(update(instance({}, deploying), undefined, { execution }).rule).toBe('N12');
  });
});

describe('admission of an update: parameters', () => {
  const v1 = version('v1', [
    parameter('foo', { trigger: 'deploy' }),
    parameter('other-foo', { trigger: 'deploy' }),
    parameter('bar', { trigger: 'update' }),
    parameter('plain'),
    parameter('keep', { trigger: 'backup' }),
    parameter('lost', { trigger: 'missing' }),
  ]);

  it.each([
    ['ADM-20 its trigger', { foo: '1' }, 'deploy'],
    ['ADM-21 two parameters with the same trigger', { foo: '1', 'other-foo': '1' }, 'deploy'],
    ['ADM-22 a parameter without trigger: update', { plain: '1' }, 'update'],
    ['ADM-24 any trigger', { keep: '1' }, 'backup'],
  ] as const)('%s decides the plan', (_, parameters, plan) => {
    const decision = update(instance(), v1, { parameters });
    expect(decision.instance?.spec).toMatchObject({ parameters, planExecution: runs(plan) });
    expect(decision.plan).toBe(plan);
  });

  it('ADM-23 without an update plan, deploy takes plain parameters', () => {
    expect(update(instance(), version('v1', [parameter('a')], ['deploy']), { parameters: { a: '1' } }).plan).toBe(
      'deploy',
    );
  });

  it.each([
    ['ADM-25 a trigger that names no plan', { lost: '1' }, 'check5'],
    ['ADM-32 PRM-19 an unknown parameter', { stray: '1' }, 'check2'],
  ] as const)('%s is denied', (_, parameters, rule) => {
    expect(update(instance(), v1, { parameters })).toMatchObject({ outcome: 'denied', code: 403, rule });
  });

  it('ADM-26 (Bravo) two different triggers run one after the other, in the order of the parameters of the version', () => {
    const decision = update(instance(), v1, { parameters: { keep: '1', bar: '1', foo: '1' } });
    expect(decision).toMatchObject({ plan: 'deploy', queued: [{ plan: 'update' }, { plan: 'backup' }] });
    expect(decision.instance?.spec?.planExecution).toEqual(runs('deploy'));
  });

  it('ADM-27 a parameter without trigger is unheard beside one with a trigger, and a warning says so', () => {
    const decision = update(instance(), v1, { parameters: { keep: '1', plain: '1' } });
    expect(decision.plan).toBe('backup');
    expect(decision.warnings?.[0]).toContain('"plain"');
  });

  it('ADM-29 a parameter of the running plan starts it again', () => {
    const decision = update(instance({}, deploying), v1, { parameters: { foo: '2' } });
    expect(decision.instance?.spec?.planExecution).toEqual(runs('deploy'));
  });

  it('ADM-30 (Bravo) a parameter of another plan is stored while one runs, and its plan waits', () => {
    expect(update(instance({}, deploying), v1, { parameters: { bar: '2' } })).toMatchObject({
      outcome: 'allowed-with',
      rule: 'N1',
      instance: { spec: { parameters: { bar: '2' }, planExecution: deploying } },
      queued: [{ plan: 'update' }],
    });
  });

  it('ADM-31 a parameter and a plan together are denied', () => {
    const change = { parameters: { foo: '1' }, execution: { planName: 'deploy' } };
    expect(update(instance(), v1, change)).toMatchObject({ outcome: 'denied', rule: 'N7' });
  });

  it('ADM-33 removing a parameter runs its plan', () => {
    expect(update(instance({ foo: '1' }), v1, { parameters: {} }).plan).toBe('deploy');
  });

  it('ADM-34 (improved, T-25) removing a known and an unknown parameter runs the plan of the known one', () => {
    expect(update(instance({ foo: '1', stray: '1' }), v1, { parameters: {} }).plan).toBe('deploy');
    expect(update(instance({ stray: '1' }), v1, { parameters: {} }).outcome).toBe('allowed');
  });

  it('PRM-01 PRM-07 values are checked against type and enum', () => {
    const typed = version('v1', [parameter('n', { 'value-type': 'integer' }), parameter('e', { enum: ['a', 'b'] })]);
    expect(update(instance(), typed, { parameters: { n: '4.2' } })).toMatchObject({
      outcome: 'denied',
      rule: 'check4',
    });
    expect(update(instance(), typed, { parameters: { e: 'c' } }).message).toContain('only allowed values are [a b]');
    expect(update(instance({ e: 'a' }), typed, { parameters: { e: '' } }).outcome).toBe('allowed-with');
  });
});
