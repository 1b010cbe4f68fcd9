import { describe, expect, it } from 'vitest';
import { cloneJson } from '@/lib/json/json';
import { type AdmissionDecision, decideAdmission } from './decision';
import { CLEANUP_FINALIZER } from './names';
import type { Instance, OperatorVersion, Parameter, PlanExecution } from './types';

const PLANS = ['deploy', 'update', 'cleanup', 'backup'];

function version(name: string, parameters: Parameter[] = [], plans: string[] = PLANS): OperatorVersion {
  return {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'OperatorVersion',
    metadata: { name, namespace: 'ns' },
    spec: {
      operator: { name: 'op' },
      version: name,
      parameters,
      plans: Object.fromEntries(plans.map((plan) => [plan, {}])),
    },
  };
}

function instance(parameters: { [name: string]: string } = {}, planExecution: PlanExecution = {}): Instance {
  return {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: { name: 'i', namespace: 'ns' },
    spec: { operatorVersion: { name: 'v1' }, parameters, planExecution },
  };
}

const deploying: PlanExecution = { planName: 'deploy', uid: 'u1', status: 'IN_PROGRESS' };

interface Update {
  versions?: { before?: OperatorVersion | undefined; after?: OperatorVersion | undefined };
  to?: string;
  parameters?: { [name: string]: string };
  execution?: PlanExecution;
  deleting?: boolean;
}

/** Sends an update that changes only what is named. */
function update(before: Instance, versions: OperatorVersion | undefined, change: Update): AdmissionDecision {
  const old = cloneJson(before);
  if (change.deleting === true) old.metadata.deletionTimestamp = '2026-01-01T00:00:00Z';
  const next = cloneJson(old);
  next.spec = { ...next.spec };
  if (change.to !== undefined) next.spec.operatorVersion = { name: change.to };
  if (change.parameters !== undefined) next.spec.parameters = change.parameters;
  if (change.execution !== undefined) next.spec.planExecution = change.execution;
  return decideAdmission({
    operation: 'UPDATE',
    old,
    new: next,
    oldOperatorVersion: change.versions?.before ?? versions,
    newOperatorVersion: change.versions?.after ?? versions,
    newUid: 'new-uid',
  });
}

function create(sent: Instance, operatorVersion: OperatorVersion | undefined): AdmissionDecision {
  return decideAdmission({ operation: 'CREATE', new: sent, newOperatorVersion: operatorVersion, newUid: 'new-uid' });
}

const runs = (plan: string) => ({ planName: plan, uid: 'new-uid', status: 'NEVER_RUN' });
const parameter = (name: string, rest: Partial<Parameter> = {}): Parameter => ({ name, required: false, ...rest });

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

  it.each([
    ['ADM-15 another plan', { planName: 'update' }, 'N5'],
    ['ADM-16 no plan', {}, 'N6'],
  ] as const)('%s cannot replace a running one', (_, execution, rule) => {
    expect(update(instance({}, deploying), v1, { execution })).toMatchObject({ outcome: 'denied', rule });
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
    ['ADM-26 two different triggers', { foo: '1', bar: '1' }, 'check5'],
    ['ADM-32 PRM-19 an unknown parameter', { stray: '1' }, 'check2'],
  ] as const)('%s is denied', (_, parameters, rule) => {
    expect(update(instance(), v1, { parameters })).toMatchObject({ outcome: 'denied', code: 403, rule });
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

  it('ADM-30 a parameter of another plan is denied while one runs', () => {
    expect(update(instance({}, deploying), v1, { parameters: { bar: '2' } })).toMatchObject({
      outcome: 'denied',
      rule: 'N1',
    });
  });

  it('ADM-31 a parameter and a plan together are denied', () => {
    const change = { parameters: { foo: '1' }, execution: { planName: 'deploy' } };
    expect(update(instance(), v1, change)).toMatchObject({ outcome: 'denied', rule: 'N7' });
  });

  it('ADM-33 removing a parameter runs its plan', () => {
    expect(update(instance({ foo: '1' }), v1, { parameters: {} }).plan).toBe('deploy');
  });

  it('ADM-34 (mended, T-25) removing a known and an unknown parameter runs the plan of the known one', () => {
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

  it('ADM-37 (mended, T-14) it cannot be removed; setting an unset one is a change', () => {
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

  it('ADM-44 ADM-45 together with a parameter that triggers deploy, not with another', () => {
    expect(update(instance(), v1, to(v2, { parameters: { foo: '1' } })).plan).toBe('update');
    expect(update(instance(), v1, to(v2, { parameters: { backup: '1' } }))).toMatchObject({
      outcome: 'denied',
      rule: 'N4',
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

  it('ADM-53 (mended, T-23) other members of the reference mean nothing', () => {
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

  it('ADM-59 (mended, T-17) the status of a plan that was running can still be written', () => {
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
        conditions: [{ type: 'Stalled', status, reason: 'ErrorsRepeat', message: 'm', lastTransitionTime }],
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
    ['a plan that is not there', { execution: { planName: 'none' } }, 'check1'],
    ['an immutable parameter', { parameters: { fixed: '1' } }, 'check3'],
  ])('%s is denied as ever', (_, change, rule) => {
    expect(update(stalled(), v1, change)).toMatchObject({ outcome: 'denied', rule });
  });

  it('what is said of another execution, or no more, does not count', () => {
    expect(update(stalled('u0'), v1, { parameters: { bar: '2' } })).toMatchObject({ rule: 'N1' });
    expect(update(stalled('u1', 'deploy', 'False'), v1, { parameters: { bar: '2' } })).toMatchObject({ rule: 'N1' });
  });

  it('a plan that runs is refused with the way out', () => {
    const { message } = update(instance({}, deploying), v1, { parameters: { bar: '2' } });
    expect(message).toBe(
      'failed to update Instance ns/i: the change would start plan "backup", but plan "deploy" is scheduled or running. ' +
        'Wait until it ends, or end it: set spec.planExecution.status to FATAL_ERROR',
    );
  });
});
