import { describe, expect, it } from 'vitest';
import { admit } from '@/lib/kudo/admission/admit';
import { planForChange } from '@/lib/kudo/admission/triggers';
import { withSources } from '@/lib/kudo/plan/acted-upon';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import { nextAction } from '@/lib/kudo/plan/next-action';
import { TEST_FINGERPRINTS } from '@/lib/kudo/secrets/fingerprint-fixture';
import type { Instance, InstanceSpec } from '@/lib/kudo/types';
import type { SourceReads } from './source-values';
import {
  absent,
  completeRecord,
  fromConfigMap,
  fromSecret,
  operatorVersion,
  RECORDED_AT,
  reads,
  resting,
} from './sources-fixture';

const one = reads({ 'Secret/db/PASSWORD': 'one' });
const two = reads({ 'Secret/db/PASSWORD': 'two' });
const fromDb: InstanceSpec = { parametersFrom: [fromSecret('PASSWORD')] };

/** An Instance that was deployed when its sources held that. */
function deployed(spec: InstanceSpec, was: SourceReads): Instance {
  const record = completeRecord(withSources(resting(spec, ''), was, TEST_FINGERPRINTS));
  return resting(spec, record);
}

function next(instance: Instance, found: SourceReads | undefined) {
  return nextAction({
    instance,
    operatorVersion,
    actedUponVersion: operatorVersion,
    newUid: 'new',
    fingerprints: TEST_FINGERPRINTS,
    ...(found === undefined ? {} : { reads: found }),
  });
}

function word(action: ReturnType<typeof next>): string {
  if (action.do === 'start') return `start ${action.scheduled.plan}`;
  return action.do === 'blocked' ? `blocked ${action.reason ?? ''}` : action.do;
}

describe('the controller decides about a source', () => {
  it('by its value: the same one rests, another one is an edit', () => {
    const instance = deployed(fromDb, one);
    expect(word(next(instance, one))).toBe('rest');
    expect(word(next(instance, two))).toBe('start password');
    expect(word(next(instance, undefined))).toBe('rest');
  });

  it('and records where the value came from and its fingerprint, never the value', () => {
    const record = actedUpon(deployed(fromDb, one));
    expect(record?.sources).toEqual({ PASSWORD: 'Secret/db/PASSWORD' });
    expect(record?.fingerprints).toEqual({ PASSWORD: TEST_FINGERPRINTS.of('one') });
    expect(record?.parameters).toEqual({});
  });

  it.each<[string, InstanceSpec, InstanceSpec]>([
    ['to a Secret', { parameters: { PASSWORD: 'one' } }, fromDb],
    ['out of a Secret', fromDb, { parameters: { PASSWORD: 'one' } }],
    ['to another key', { parametersFrom: [fromSecret('PASSWORD', 'old')] }, fromDb],
    [
      'that is no secret to a ConfigMap',
      { parameters: { HOST: 'one' } },
      { parametersFrom: [fromConfigMap('HOST', 'PASSWORD')] },
    ],
  ])('a value that is moved %s starts nothing and is recorded', (_, before, after) => {
    const all = reads({ 'Secret/db/PASSWORD': 'one', 'Secret/db/old': 'one', 'ConfigMap/settings/PASSWORD': 'one' });
    const { metadata } = deployed(before, all);
    expect(word(next({ ...resting(after, ''), metadata }, all))).toBe('record');
  });

  it('a plan that needs to start waits for a key that does not exist', () => {
    const gone = reads({ 'Secret/db/PASSWORD': absent() });
    const instance = deployed({ ...fromDb, parameters: { SIZE: '1' } }, one);
    expect(word(next(instance, gone))).toBe('rest');
    const edited = { ...instance, spec: { ...instance.spec, parameters: { SIZE: '2' } } };
    expect(word(next(edited, gone))).toBe('blocked DependencyMissing');
    expect(word(next({ ...resting(fromDb, ''), status: {} }, gone))).toBe('blocked DependencyMissing');
  });

  it('an optional one without a value has the default, and the value is an edit when it appears', () => {
    const optional = { parametersFrom: [fromSecret('PASSWORD', 'PASSWORD', 'db', true)] };
    const gone = reads({ 'Secret/db/PASSWORD': absent() });
    const instance = deployed(optional, gone);
    expect(actedUpon(instance)?.fingerprints).toBeUndefined();
    expect(word(next(instance, gone))).toBe('rest');
    expect(word(next(instance, one))).toBe('start password');
    expect(word(next(deployed(optional, one), gone))).toBe('start password');
    expect(word(next({ ...deployed({}, one), spec: { ...instance.spec, ...optional } }, gone))).toBe('record');
  });

  it('a value that does not fit is refused while nothing runs, and shown after a plan that runs', () => {
    const spec = { parametersFrom: [fromConfigMap('SIZE')] };
    const instance = deployed(spec, reads({ 'ConfigMap/settings/SIZE': '1' }));
    const bad = reads({ 'ConfigMap/settings/SIZE': 'hunter2' });
    expect(next(instance, bad)).toMatchObject({ do: 'refuse' });
    const running: Instance = {
      ...instance,
      spec: { ...instance.spec, planExecution: { planName: 'deploy', uid: 'd0', status: 'IN_PROGRESS' } },
      status: { planStatus: { deploy: { name: 'deploy', status: 'IN_PROGRESS', uid: 'd0' } } },
    };
    const action = next(running, bad);
    expect(action).toMatchObject({ do: 'continue', pending: { reason: 'ChangeRefused' } });
    expect(JSON.stringify(action)).not.toContain('hunter2');
  });

  it('a change while a plan runs waits for its end, as any edit does', () => {
    const instance = deployed(fromDb, one);
    const running: Instance = {
      ...instance,
      spec: { ...instance.spec, planExecution: { planName: 'deploy', uid: 'd0', status: 'IN_PROGRESS' } },
      status: { planStatus: { deploy: { name: 'deploy', status: 'IN_PROGRESS', uid: 'd0' } } },
    };
    expect(next(running, two)).toMatchObject({ do: 'enqueue', plans: [{ plan: 'password' }] });
  });

  it('a deleted Instance starts its cleanup without the value', () => {
    const instance = deployed(fromDb, one);
    const metadata = { ...instance.metadata, deletionTimestamp: RECORDED_AT };
    expect(word(next({ ...instance, metadata }, reads({ 'Secret/db/PASSWORD': absent() })))).toBe('start cleanup');
  });
});

describe('the admission webhook decides about a source', () => {
  const ask = (stored: Instance | undefined, spec: InstanceSpec, found?: SourceReads) => {
    const base = stored ?? { ...resting({}, ''), metadata: { name: 'i', namespace: 'n' }, status: {} };
    const sent = { ...base, spec: { operatorVersion: { name: 'v1' }, planExecution: {}, ...spec } };
    const decision = admit({
      operation: stored === undefined ? 'CREATE' : 'UPDATE',
      stored,
      sent,
      versions: { sent: operatorVersion, stored: operatorVersion, actedUpon: operatorVersion },
      newUid: 'new',
      now: RECORDED_AT,
      fingerprints: TEST_FINGERPRINTS,
      ...(found === undefined ? {} : { reads: found }),
    });
    expect(JSON.stringify(decision)).not.toContain('\\u0000');
    return decision;
  };

  it('refuses a parameter with a value and a source, and names both places', () => {
    const { outcome, message } = ask(undefined, { ...fromDb, parameters: { PASSWORD: 'x' } }, one);
    expect(outcome).toBe('denied');
    expect(message).toMatch(/spec\.parameters and .*spec\.parametersFrom/);
    expect(ask(deployed(fromDb, one), { ...fromDb, parameters: { PASSWORD: 'x' } }).outcome).toBe('denied');
  });

  it('warns of an unknown parameter at a creation and refuses it at an update', () => {
    const unknown = { parametersFrom: [fromSecret('NOBODY')] };
    expect(ask(undefined, unknown).warnings).toEqual(['parameter "NOBODY" is not defined and has no effect']);
    expect(ask(deployed({}, one), unknown).message).toContain('parameter "NOBODY" is not defined');
  });

  it('starts the plan of another value, and none for a value that only moves', () => {
    expect(ask(deployed({ parameters: { PASSWORD: 'one' } }, one), fromDb, two).plan).toBe('password');
    expect(ask(deployed({ parameters: { PASSWORD: 'one' } }, one), fromDb, one)).toMatchObject({ outcome: 'allowed' });
    expect(ask(deployed(fromDb, one), { parameters: { PASSWORD: 'one' } }, one)).toMatchObject({ outcome: 'allowed' });
  });

  it('counts another source that it cannot read as another value, and the same one as the same', () => {
    const other = { parametersFrom: [fromSecret('PASSWORD', 'other')] };
    expect(ask(deployed(fromDb, one), other).plan).toBe('password');
    expect(ask(deployed(fromDb, one), { ...fromDb, parameters: { SIZE: '2' } }).plan).toBe('update');
  });

  it('records a plan whose source has no value yet so that its first value is no second edit', () => {
    const { instance } = ask(undefined, fromDb, reads({ 'Secret/db/PASSWORD': absent() }));
    expect(actedUpon(instance ?? resting({}, ''))).toMatchObject({
      sources: { PASSWORD: 'Secret/db/PASSWORD' },
      fingerprints: { PASSWORD: 'unknown' },
    });
    const created = { ...resting({}, ''), ...instance, status: {} };
    expect(word(next(created, reads({ 'Secret/db/PASSWORD': absent() })))).toBe('blocked DependencyMissing');
    expect(next(created, one)).toMatchObject({ do: 'start', scheduled: { plan: 'deploy', uid: 'new' } });
  });

  it('lets the plan pass that the controller starts for a changed key', () => {
    const stored = deployed(fromDb, one);
    const action = next(stored, two);
    if (action.do !== 'start') throw new Error('no plan starts');
    const { plan, uid } = action.scheduled;
    const planExecution = { planName: plan, uid, status: 'IN_PROGRESS' as const };
    expect(ask(stored, { ...fromDb, planExecution }, two)).toMatchObject({ rule: 'own' });
  });

  it('lets the record of a value that has moved pass, and no record that is not true', () => {
    const before = deployed({ parameters: { PASSWORD: 'one' } }, one);
    const stored = { ...resting(fromDb, ''), metadata: before.metadata };
    const recorded = (found: SourceReads) => deployed(fromDb, found).metadata;
    const annotate = (metadata: Instance['metadata']) =>
      admit({
        operation: 'UPDATE',
        stored,
        sent: { ...stored, metadata },
        versions: { sent: undefined, stored: undefined, actedUpon: undefined },
        newUid: 'new',
        now: RECORDED_AT,
        fingerprints: TEST_FINGERPRINTS,
      });
    expect(annotate(recorded(one))).toEqual({ outcome: 'allowed', rule: 'metadata' });
    const other = deployed({ parametersFrom: [fromSecret('PASSWORD', 'other')] }, reads({ 'Secret/db/other': 'one' }));
    expect(annotate(other.metadata)).toMatchObject({ outcome: 'allowed-with', instance: stored });
  });

  it('keeps an immutable parameter with a source as it is, and does not write its default beside it', () => {
    const spec = { parametersFrom: [fromSecret('FIXED_TOKEN')] };
    const was = reads({ 'Secret/db/FIXED_TOKEN': 'one' });
    expect(ask(undefined, spec, was).instance?.spec?.parameters).toBeUndefined();
    const changed = ask(
      deployed(spec, was),
      { ...spec, parameters: { SIZE: '1' } },
      reads({ 'Secret/db/FIXED_TOKEN': 'zwei' }),
    );
    expect(changed.message).toContain('parameter "FIXED_TOKEN" is immutable');
    expect(changed.message).not.toMatch(/one|zwei/);
  });
});

it('a preview counts the same source as unchanged, and a required parameter with a source as set', () => {
  const instance = deployed(fromDb, one);
  const preview = planForChange(instance, operatorVersion, { parameters: { SIZE: '3' } });
  expect(preview).toMatchObject({ outcome: 'runs', plan: 'update' });
  expect(JSON.stringify(preview)).not.toContain('\\u0000');
});
