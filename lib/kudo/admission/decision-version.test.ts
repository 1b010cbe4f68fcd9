import { describe, expect, it } from 'vitest';
import { cloneJson } from '@/lib/json/json';
import { CLEANUP_FINALIZER } from '@/lib/kudo/names';
import type { Instance, OperatorVersion, PlanExecution } from '@/lib/kudo/types';
import { decideAdmission } from './decision';
import { deploying, instance, parameter, runs, type Update, update, version } from './decision-fixture';

describe('admission of an update: immutable parameters', () => {
  const v1 = version('v1', [parameter('p', { immutable: true }), parameter('q')]);

  it('ADM-35 a change is denied, and the text names both values', () => {
    const { outcome, message } = update(instance({ p: 'one' }), v1, { parameters: { p: 'two' } });
    expect(outcome).toBe('denied');
    expect(message).toMatch(/^failed to check immutable parameters for Instance ns\/i: .*"one".*"two"/);
  });

  it('the value of a secret is in no refusal', () => {
    const secret = version('v1', [
      parameter('DB_PASSWORD', { immutable: true }),
      parameter('API_KEY', { enum: ['k1'] }),
    ]);
    const sent = [{ DB_PASSWORD: 'hunter2' }, {}, { DB_PASSWORD: 'old-one', API_KEY: 'leak' }];
    for (const parameters of sent) {
      const { outcome, message = '' } = update(instance({ DB_PASSWORD: 'old-one' }), secret, { parameters });
      expect([outcome, message]).toEqual(['denied', expect.stringContaining('‹secret›')]);
      expect(message).not.toMatch(/hunter2|old-one|leak/);
    }
  });

  it('ADM-36 another parameter can change', () => {
    expect(update(instance({ p: 'one' }), v1, { parameters: { p: 'one', q: '1' } }).plan).toBe('update');
  });

  it('ADM-37 (improved, T-14) it cannot be removed; setting an unset one is a change', () => {
    expect(update(instance({ p: 'one' }), v1, { parameters: {} }).rule).toBe('check3');
    expect(update(instance(), v1, { parameters: { p: 'one' } }).rule).toBe('check3');
  });
});

describe('admission of an update: another operator version', () => {
  const v1 = version('v1', [parameter('foo', { trigger: 'deploy' }), parameter('backup', { trigger: 'backup' })]);
  const to = (after: OperatorVersion, change: Update = {}) => ({
    to: 'v2',
    versions: { before: v1, after },
    ...change,
  });
  const v2 = version('v2', v1.spec?.parameters);

  it.each([
    ['ADM-38', ['upgrade', 'update', 'deploy'], 'upgrade'],
    ['ADM-39', ['update', 'deploy'], 'update'],
    ['ADM-40', ['deploy'], 'deploy'],
  ] as const)('%s of %j the first runs', (_, plans, plan) => {
    const decision = update(instance(), v1, to(version('v2', [], [...plans])));
    expect(decision.instance?.spec).toMatchObject({ operatorVersion: { name: 'v2' }, planExecution: runs(plan) });
  });

  it('ADM-41 a version without any of them is denied', () => {
    expect(update(instance(), v1, to(version('v2', [], ['backup'])))).toMatchObject({ outcome: 'denied', rule: 'N9' });
  });

  it('ADM-42 ADM-43 not while a plan runs, and not together with a plan', () => {
    expect(update(instance({}, deploying), v1, to(v2))).toMatchObject({ outcome: 'denied', rule: 'N2' });
    expect(update(instance(), v1, to(v2, { execution: { planName: 'backup' } }))).toMatchObject({ rule: 'N3' });
  });

  it('ADM-44 ADM-45 together with a parameter; a plan that is not deploy runs after it', () => {
    expect(update(instance(), v1, to(v2, { parameters: { foo: '1' } })).plan).toBe('update');
    expect(update(instance(), v1, to(v2, { parameters: { backup: '1' } }))).toMatchObject({
      plan: 'update',
      queued: [{ plan: 'backup' }],
    });
  });

  it('ADM-46 a parameter that is new in that version does not count as a change', () => {
    const after = version('v2', [parameter('bar', { trigger: 'backup' })]);
    expect(update(instance(), v1, to(after, { parameters: { bar: '1' } })).plan).toBe('update');
  });

  it('ADM-47 a new required parameter must be given', () => {
    const after = version('v2', [parameter('bar', { required: true })]);
    expect(update(instance(), v1, to(after))).toMatchObject({ outcome: 'denied', rule: 'check4' });
  });

  it('ADM-48 ADM-49 a new immutable parameter must be given, its default is only named', () => {
    const after = version('v2', [parameter('bar', { immutable: true, default: 'd' })]);
    expect(update(instance(), v1, to(after)).message).toContain('"d"');
    expect(update(instance(), v1, to(after, { parameters: { bar: 'x' } })).plan).toBe('update');
  });

  it('ADM-50 a parameter that is gone is forgotten', () => {
    const decision = update(instance({ foo: '1' }), v1, to(version('v2')));
    expect(decision.instance?.spec?.parameters).toEqual({});
  });

  it('ADM-51 ADM-52 a parameter that becomes immutable must be set, one that becomes mutable need not', () => {
    const fixed = version('v2', [parameter('foo', { immutable: true })]);
    expect(update(instance(), v1, to(fixed)).outcome).toBe('denied');
    expect(update(instance({ foo: '1' }), v1, to(fixed)).outcome).toBe('allowed-with');
    const change = { to: 'v3', versions: { before: fixed, after: v1 } };
    expect(update(instance({ foo: '1' }), v1, change).outcome).toBe('allowed-with');
  });

  it('T-14 an immutable value cannot be changed by way of an upgrade', () => {
    const fixed = [parameter('p', { immutable: true })];
    const change = {
      to: 'v2',
      versions: { before: version('v1', fixed), after: version('v2', fixed) },
      parameters: { p: '2' },
    };
    expect(update(instance({ p: '1' }), v1, change)).toMatchObject({ outcome: 'denied', rule: 'check3' });
  });

  it('ADM-53 (improved, T-23) other members of the reference mean nothing', () => {
    const old = instance();
    const next = cloneJson(old);
    next.spec = { ...next.spec, operatorVersion: { name: 'v1', kind: 'OperatorVersion', namespace: 'ns' } };
    const request = { operation: 'UPDATE' as const, old, new: next, newOperatorVersion: v1, newUid: 'n' };
    expect(decideAdmission(request).outcome).toBe('allowed');
  });

  it('T-04 the finalizer follows the cleanup plan of the new version', () => {
    const withCleanup = instance();
    withCleanup.metadata.finalizers = ['other', CLEANUP_FINALIZER];
    const without = update(withCleanup, v1, to(version('v2', [], ['deploy'])));
    expect(without.instance?.metadata.finalizers).toEqual(['other']);
    expect(update(instance(), v1, to(v2)).instance?.metadata.finalizers).toEqual([CLEANUP_FINALIZER]);
  });
});

describe('admission of an update while the Instance is deleted', () => {
  const v1 = version('v1', [parameter('foo', { trigger: 'deploy' })]);
  const cleaning: PlanExecution = { planName: 'cleanup', uid: 'c1', status: 'IN_PROGRESS' };

  it('ADM-54 ADM-55 neither parameters nor the version can change', () => {
    expect(update(instance(), v1, { deleting: true, parameters: { foo: '1' } })).toMatchObject({
      outcome: 'denied',
      rule: 'D2',
    });
    const change = { deleting: true, to: 'v2', versions: { before: v1, after: version('v2') } };
    expect(update(instance(), v1, change)).toMatchObject({ outcome: 'denied', rule: 'D2' });
  });

  it('ADM-56 cleanup replaces a running plan, as it was sent', () => {
    const decision = update(instance({}, deploying), v1, {
      deleting: true,
      execution: { planName: 'cleanup', uid: 'mine' },
    });
    expect(decision).toEqual({ outcome: 'allowed', rule: 'D4' });
  });

  it('ADM-57 a running cleanup can neither be replaced nor be cancelled', () => {
    for (const execution of [{ planName: 'deploy' }, {}]) {
      expect(update(instance({}, cleaning), v1, { deleting: true, execution })).toMatchObject({
        outcome: 'denied',
        rule: 'D1',
      });
    }
  });

  it('ADM-58 the end of cleanup is kept', () => {
    const execution: PlanExecution = { ...cleaning, status: 'COMPLETE' };
    expect(update(instance({}, cleaning), v1, { deleting: true, execution })).toEqual({
      outcome: 'allowed',
      rule: 'D4',
    });
  });

  it('ADM-59 (improved, T-17) the status of a plan that was running can still be written', () => {
    const execution: PlanExecution = { ...deploying, status: 'ERROR' };
    const change = { deleting: true, execution };
    expect(update(instance({}, deploying), version('v1', [], ['deploy']), change)).toEqual({
      outcome: 'allowed',
      rule: 'D4',
    });
  });

  it('no other plan can be started', () => {
    expect(update(instance(), v1, { deleting: true, execution: { planName: 'backup' } })).toMatchObject({ rule: 'D3' });
  });
});

describe('admission of an update while a plan makes no progress', () => {
  const v1 = version('v1', [
    parameter('foo', { trigger: 'deploy' }),
    parameter('bar', { trigger: 'backup' }),
    parameter('fixed', { immutable: true }),
  ]);
  const stalled = (uid = 'u1', planName = 'deploy', status: 'True' | 'False' = 'True'): Instance => {
    const lastTransitionTime = '2026-01-01T00:00:00Z';
    return {
      ...instance({}, { ...deploying, planName }),
      status: {
        planStatus: { [planName]: { name: planName, status: 'IN_PROGRESS', uid } },
        conditions: [{ type: 'Stalled', status, reason: 'RepeatedErrors', message: 'm', lastTransitionTime }],
      },
    };
  };

  it('a parameter of another plan takes its place', () => {
    const decision = update(stalled(), v1, { parameters: { bar: '2' } });
    expect(decision).toMatchObject({ outcome: 'allowed-with', rule: 'N10', plan: 'backup', supersedes: 'deploy' });
    expect(decision.instance?.spec?.planExecution).toEqual(runs('backup'));
  });

  it('another plan, or another version, takes its place', () => {
    const triggered = update(stalled(), v1, { execution: { planName: 'backup', uid: 'mine' } });
    expect(triggered).toMatchObject({ rule: 'N11', plan: 'backup', supersedes: 'deploy' });
    const versions = { before: v1, after: version('v2', v1.spec?.parameters) };
    expect(update(stalled(), v1, { to: 'v2', versions })).toMatchObject({ rule: 'N9', plan: 'update' });
  });

  it('its own plan starts again, and supersedes nothing', () => {
    expect(update(stalled(), v1, { parameters: { foo: '2' } }).supersedes).toBeUndefined();
    expect(update(stalled(), v1, { execution: { ...deploying, uid: 'u2' } })).toMatchObject({ rule: 'N13' });
  });

  it.each<[string, Update, string]>([
    ['a mixture of two plans', { parameters: { bar: '2' }, execution: { planName: 'update' } }, 'N7'],
    ['a cancellation', { execution: {} }, 'N6'],
    ['the cleanup plan', { execution: { planName: 'cleanup' } }, 'N8'],
    ['a plan that does not exist', { execution: { planName: 'none' } }, 'check1'],
    ['an immutable parameter', { parameters: { fixed: '1' } }, 'check3'],
  ])('%s is denied as ever', (_, change, rule) => {
    expect(update(stalled(), v1, change)).toMatchObject({ outcome: 'denied', rule });
  });

  it('what is said of another execution, or no more, does not count', () => {
    expect(update(stalled('u0'), v1, { parameters: { bar: '2' } })).toMatchObject({ rule: 'N1' });
    expect(update(stalled('u1', 'deploy', 'False'), v1, { parameters: { bar: '2' } })).toMatchObject({ rule: 'N1' });
  });

  it('an edit that also ends the plan by hand is refused with the way out', () => {
    const change = { parameters: { bar: '2' }, execution: { ...deploying, status: 'COMPLETE' as const } };
    expect(update(instance({}, deploying), v1, change).message).toBe(
      'failed to update Instance ns/i: the change would start plan "backup", but plan "deploy" is scheduled or running. ' +
        'Wait until it ends, or end it: set spec.planExecution.status to FATAL_ERROR',
    );
  });
});
