import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { LOCK_ANNOTATION, lockText } from '@/lib/kudo/lock/instance-lock';
import { PLAN_METADATA_ANNOTATION } from '@/lib/kudo/names';
import { ACTED_UPON_ANNOTATION } from '@/lib/kudo/plan/acted-upon-annotation';
import { approvals } from './approvals';
import type { StoreChange } from './fact';
import { appliedConfigMap, change, instanceWith, VERSION, violationsOf, type Written } from './facts-fixture';
import { locks } from './locks';
import { retries } from './retries';

/** An Instance whose record has this origin. */
function instance(written: Written, origin: JsonObject = {}, annotations: { [name: string]: string } = {}): KubeObject {
  const plain = instanceWith(written);
  const record = JSON.parse(plain.metadata.annotations?.[ACTED_UPON_ANNOTATION] ?? '') as JsonObject;
  const text = JSON.stringify({ ...record, origin: { cause: 'Manual', ...origin } });
  return { ...plain, metadata: { ...plain.metadata, annotations: { ...annotations, [ACTED_UPON_ANNOTATION]: text } } };
}
const modified = (before: KubeObject, after: KubeObject): StoreChange => change('MODIFIED', after, before);

describe('I17, locks', () => {
  const locked = (until: string) => ({ [LOCK_ANNOTATION]: lockText({ reason: 'sale', until }) });
  const start = (until: string, uid: string, origin: JsonObject = {}) =>
    modified(instance({ uid: 'before' }, {}, locked(until)), instance({ uid }, origin, locked(until)));
  const LONG = '2100-01-01T00:00:00Z';

  it('reports a start of a locked Instance', () => {
    expect(violationsOf(locks, [start(LONG, 'u2')])).toEqual([
      `I17: plan deploy (u2) of Instance ns/sim started while the Instance is locked until ${LONG}`,
    ]);
    expect(violationsOf(locks, [start('1970-01-01T00:00:00Z', 'u2')])).toEqual([]);
  });

  it('reports a reason to break a lock that two starts have', () => {
    const broken = (reason: string) => ({ brokenLock: `The lock until ${LONG} (sale) was broken: ${reason}` });
    const once = start(LONG, 'u2', broken('fire'));
    expect(violationsOf(locks, [once, start(LONG, 'u3', broken('flood'))])).toEqual([]);
    expect(violationsOf(locks, [once, start(LONG, 'u3', broken('fire'))])).toEqual([
      'I17: plan deploy (u3) of Instance ns/sim breaks the lock with the reason of an earlier start: fire',
    ]);
  });
});

describe('I18, approvals', () => {
  const annotations = { [PLAN_METADATA_ANNOTATION]: JSON.stringify({ deploy: { approval: true } }) };
  const version = change('ADDED', { ...VERSION, metadata: { ...VERSION.metadata, annotations } });
  const spec = { instanceName: 'sim', plan: 'deploy', operatorVersion: 'sim-1.0.0', requestedBy: 'alice' };
  const object = (status: JsonObject): KubeObject => {
    return {
      apiVersion: 'bravo.kudo.dev/v1alpha1',
      kind: 'PlanApproval',
      metadata: { name: 'a', namespace: 'ns' },
      spec,
      status,
    };
  };
  const before = instance({ uid: 'before' });
  const first = change('ADDED', before);
  const asked = change('ADDED', object({}));
  const given = (status: JsonObject) => modified(object({}), object(status));
  const start = (uid: string, origin: JsonObject, written: Written = {}) =>
    modified(before, instance({ uid, ...written }, origin));
  const approved = [version, first, asked, given({ approvedBy: 'bob' })];

  it('accepts one start with an approval for these inputs', () => {
    expect(violationsOf(approvals, [...approved, start('u2', { approval: 'a' })])).toEqual([]);
  });

  it.each<[string, readonly StoreChange[], JsonObject, Written?]>([
    ['without an approval', [version], {}],
    ['with PlanApproval a, which does not exist', [version], { approval: 'a' }],
    ['with PlanApproval a, which is waiting', [version, first, asked], { approval: 'a' }],
    ['with PlanApproval a, which is rejected', [version, asked, given({ rejectedBy: 'bob' })], { approval: 'a' }],
    [
      'with PlanApproval a, which is used',
      [version, asked, given({ approvedBy: 'bob', usedBy: 'u' })],
      { approval: 'a' },
    ],
    ['with the approval of the one who asked', [version, asked, given({ approvedBy: 'alice' })], { approval: 'a' }],
    [
      'with PlanApproval a, which is for other values or another version',
      approved,
      { approval: 'a' },
      { seen: { A: 'other' } },
    ],
  ])('reports a start %s', (problem, facts, origin, written) => {
    const violations = violationsOf(approvals, [...facts, start('u2', origin, written)]);
    expect(violations).toEqual([`I18: plan deploy (u2) of Instance ns/sim started ${problem}`]);
  });

  it('accepts a start that says the default of a parameter', () => {
    const parameters = [{ name: 'A', default: 'same' }];
    const withDefault = change('ADDED', { ...version.object, spec: { ...VERSION.spec, parameters } } as KubeObject);
    const begun = start('u2', { approval: 'a' }, { seen: { A: 'same' } });
    expect(violationsOf(approvals, [withDefault, first, asked, given({ approvedBy: 'bob' }), begun])).toEqual([]);
  });

  it('reports an approval that two runs began with', () => {
    const facts = [...approved, start('u2', { approval: 'a' }), start('u3', { approval: 'a' })];
    expect(violationsOf(approvals, facts)).toEqual(['I18: PlanApproval ns/a started two runs, u2 and u3']);
  });
});

describe('I19, retries', () => {
  const tasks = [{ name: 't', kind: 'Apply' }] as const;
  const steps = [
    { name: 's0', tasks: ['t'] },
    { name: 's1', tasks: ['t'] },
  ];
  const plans = { deploy: { phases: [{ name: 'p0', steps }] } };
  const version = change('ADDED', { ...VERSION, spec: { tasks, plans } as unknown as JsonObject });
  const run = change('ADDED', {
    apiVersion: 'bravo.kudo.dev/v1alpha1',
    kind: 'PlanRun',
    metadata: { name: 'sim-deploy-1', namespace: 'ns' },
    spec: { uid: 'u1' },
  });
  const failed = instance({ uid: 'u1', status: 'FATAL_ERROR', steps: ['COMPLETE', 'FATAL_ERROR'] });
  const begins = (done: readonly [string, string], origin: JsonObject = {}) =>
    modified(failed, instance({ uid: 'u2', steps: done }, { retryOf: 'sim-deploy-1', ...origin }));

  it('accepts a retry that goes on where the run failed, and one that begins anew', () => {
    const writes = modified(appliedConfigMap('c', { step: 's1' }), appliedConfigMap('c', { step: 's1', uid: 'u2' }));
    expect(violationsOf(retries, [version, run, begins(['COMPLETE', 'PENDING']), writes])).toEqual([]);
    expect(violationsOf(retries, [version, run, begins(['PENDING', 'PENDING'])])).toEqual([]);
  });

  it('reports a step that counts as complete and is not', () => {
    const skipped = (step: string) =>
      `I19: plan deploy (u2) of Instance ns/sim begins with step p0/${step} complete, which run sim-deploy-1 had not completed`;
    expect(violationsOf(retries, [version, run, begins(['COMPLETE', 'COMPLETE'])])).toEqual([skipped('s1')]);
    // Another run, or other values.
    expect(violationsOf(retries, [version, begins(['COMPLETE', 'PENDING'])])).toEqual([skipped('s0')]);
    const changes = [{ name: 'A', after: 'new' }];
    expect(violationsOf(retries, [version, run, begins(['COMPLETE', 'PENDING'], { changes })])).toEqual([
      skipped('s0'),
    ]);
  });

  it('reports an object of a step that was complete', () => {
    const writes = modified(appliedConfigMap('c'), appliedConfigMap('c', { uid: 'u2' }));
    expect(violationsOf(retries, [version, run, begins(['COMPLETE', 'PENDING']), writes])).toEqual([
      'I19: ConfigMap c was written by u2, which found step p0/s0 complete',
    ]);
  });
});
