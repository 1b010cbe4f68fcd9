import { describe, expect, it } from 'vitest';
import type { Instance, InstanceSpec } from '@/lib/kudo/types';
import type { PlanRunStatus } from './plan-run';
import { testRun } from './runs-fixture';
import { undoEdit } from './undo';

function instanceWith(parameters: { [name: string]: string }, spec: InstanceSpec = {}): Instance {
  const operatorVersion = { name: 'db-2' };
  return {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: { name: 'db', namespace: 'n', uid: 'db' },
    spec: { operatorVersion, parameters, ...spec },
  };
}

const done = (status: PlanRunStatus): PlanRunStatus => ({ status: 'COMPLETE', ...status });
const changed = (name: string, before?: string, after?: string) => ({
  name,
  ...(before === undefined ? {} : { before }),
  ...(after === undefined ? {} : { after }),
});

describe('undoEdit', () => {
  it('gives the values and the version from before, and removes values that did not exist', () => {
    const run = testRun(
      2,
      done({ operatorVersionBefore: 'db-1', changes: [changed('A', '1', '2'), changed('B', undefined, 'x')] }),
    );
    expect(undoEdit(run, instanceWith({ A: '2', B: 'x', C: '3' }), [])).toEqual({
      parameters: { A: '1', B: null },
      operatorVersion: 'db-1',
      notes: [],
    });
  });

  it('leaves out what is as before, and names later runs that changed the rest', () => {
    const run = testRun(
      2,
      done({ operatorVersionBefore: 'db-1', changes: [changed('A', '1', '2'), changed('B', 'x', 'y')] }),
    );
    const later = testRun(3, done({ changes: [changed('A', '2', '5'), changed('B', 'y', 'x')] }));
    const moved = testRun(
      4,
      done({ operatorVersion: 'db-3', operatorVersionBefore: 'db-2', changes: [changed('A', '5')] }),
    );
    const other = testRun(5, done({ changes: [changed('A', '5', '6')] }), { instanceUid: 'another' });
    const earlier = testRun(1, done({ changes: [changed('A', '0', '1')] }));
    expect(undoEdit(run, instanceWith({ B: 'x' }), [moved, other, run, later, earlier])).toEqual({
      parameters: { A: '1' },
      operatorVersion: 'db-1',
      notes: [
        'The later run db-backup-3 set A to "5". That is undone too.',
        'The later run db-backup-4 set A to its default. That is undone too.',
        'The later run db-backup-4 moved to version db-3. That is undone too.',
      ],
    });
  });

  it('refuses a run that is under way, of another Instance, without changes, or undone already', () => {
    const instance = instanceWith({ A: '1' });
    const run = testRun(2, done({ changes: [changed('A', '1', '2')] }));
    expect(() => undoEdit(testRun(2, { status: 'Paused' }), instance, [])).toThrow(
      'is still under way; cancel it first',
    );
    expect(() => undoEdit(testRun(2, done({}), { instanceUid: 'gone' }), instance, [])).toThrow(
      'does not exist any more',
    );
    expect(() => undoEdit(testRun(2, done({})), instance, [])).toThrow('changed no parameter and no version');
    expect(() => undoEdit(run, instance, [])).toThrow('already has the parameters and the version from before');
  });

  it('refuses values that the record does not hold, and says what to do instead', () => {
    const secret = { name: 'PASSWORD', before: 'k:1', after: 'k:2', secret: true };
    const run = testRun(2, done({ changes: [changed('A', '1', '2'), secret] }));
    expect(() => undoEdit(run, instanceWith({}), [])).toThrow(
      'Run db-backup-2 changed PASSWORD, a secret value of which only a fingerprint is kept. Set the values yourself with `bravo update --instance db -p A=… -p PASSWORD=…`',
    );
    const inSecret = { parametersFrom: [{ name: 'PASSWORD', secretKeyRef: { name: 's', key: 'k' } }] };
    expect(() => undoEdit(run, instanceWith({}, inSecret), [])).toThrow('It is in Secret s, key k: change it there');
    const moved = { parametersFrom: [{ name: 'A', configMapKeyRef: { name: 'c', key: 'k' } }] };
    expect(() => undoEdit(run, instanceWith({}, moved), [])).toThrow(
      'Parameter A has no value of its own now. It is in ConfigMap c, key k: change it there',
    );
    const long = testRun(2, done({ changes: [changed('A', `${'x'.repeat(299)}…`, '2')] }));
    expect(() => undoEdit(long, instanceWith({}), [])).toThrow('The value of A before run db-backup-2 is too long');
    const many = testRun(2, done({ changes: Array.from({ length: 50 }, (_, at) => changed(`P${at}`, '1', '2')) }));
    expect(() => undoEdit(many, instanceWith({}), [])).toThrow('may not name all parameters that changed');
  });
});
