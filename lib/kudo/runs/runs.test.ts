import { describe, expect, it } from 'vitest';
import { APPROVAL_ANNOTATION } from '@/lib/kudo/approvals/plan-approval';
import { TEST_FINGERPRINTS } from '@/lib/kudo/secrets/fingerprint-fixture';
import type { Instance } from '@/lib/kudo/types';
import { backupsOf } from './backups';
import { compareRuns } from './compare';
import { maskObject, maskText } from './mask-secrets';
import { numberOfRun, planRunName } from './new-run';
import type { RunRecord } from './record-format';
import { originOf } from './run-origin';
import { outputsIn } from './run-outputs';
import { REQUEST_ANNOTATION, requestOf, withoutRequest } from './run-request';
import { testRun } from './runs-fixture';
import { steerPatch } from './steer';
import { cancelWarning, skippedStepsOf, unfinishedSteps, verdictForStep } from './steering';

const FINGERPRINT = /^[0-9a-f]{8}:[0-9a-f]{32}$/;

function instanceWith(annotations: { [name: string]: string }): Instance {
  return { apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', metadata: { name: 'db', namespace: 'n', annotations } };
}

describe('the name of a run', () => {
  it('is made of Instance, plan and number, also of a plan whose name no object can have', () => {
    expect(planRunName('db', 'backup', 3)).toBe('db-backup-3');
    expect(planRunName('db', 'Back_Up!', 1)).toBe('db-back-up-1');
    expect(planRunName('db', '___', 1)).toBe('db-plan-1');
  });

  it('gives its number, and none when it is the name of something else', () => {
    expect(numberOfRun('db-backup-12', 'db', 'backup')).toBe(12);
    expect(
      ['db-backup-', 'db-backup-01', 'db-backup-x', 'db-deploy-1'].map((name) => numberOfRun(name, 'db', 'backup')),
    ).toEqual([0, 0, 0, 0]);
  });
});

describe('what a person says about a run', () => {
  it('counts for the plan that it names, is cut where it is too long, and is taken off', () => {
    const reason = 'x'.repeat(2_000);
    const instance = instanceWith({
      [REQUEST_ANNOTATION]: JSON.stringify({ plan: 'backup', reason, cause: 'Retry' }),
      other: '1',
    });
    expect(requestOf(instance, 'deploy')).toBeUndefined();
    expect(requestOf(instance, 'backup')).toEqual({ plan: 'backup', reason: `${'x'.repeat(999)}…` });
    expect(withoutRequest(instance, 'deploy')).toBe(instance);
    expect(withoutRequest(instance, 'backup').metadata.annotations).toEqual({ other: '1' });
  });

  it('is nothing when the annotation is no JSON', () => {
    expect(requestOf(instanceWith({ [REQUEST_ANNOTATION]: 'later!' }), 'backup')).toBeUndefined();
  });
});

describe('why a run began', () => {
  const inputs = (parameters: { [name: string]: string }, name = 'db-1', fingerprints = {}) => ({
    operatorVersion: { name },
    parameters,
    fingerprints,
  });
  const plain = {
    ...{ instance: instanceWith({}), plan: 'deploy', by: 'jane' },
    ...{ isAsked: false, claimed: undefined, isApprovalNeeded: false },
  };

  it('is a new Instance, another version, changed parameters, or a person', () => {
    expect(originOf({ ...plain, before: undefined, now: inputs({}) })).toEqual({ cause: 'Create', by: 'jane' });
    expect(originOf({ ...plain, before: inputs({}), now: inputs({}, 'db-2') })).toMatchObject({
      cause: 'Version',
      versionBefore: 'db-1',
    });
    expect(originOf({ ...plain, before: inputs({ A: '1', B: '2' }), now: inputs({ A: '3' }) })).toMatchObject({
      cause: 'Parameters',
      changes: [
        { name: 'A', before: '1', after: '3' },
        { name: 'B', before: '2' },
      ],
    });
    expect(originOf({ ...plain, before: inputs({}), now: inputs({}), isAsked: true }).cause).toBe('Manual');
    expect(originOf({ ...plain, before: inputs({}), now: inputs({}), claimed: 'Schedule' })).toEqual({
      cause: 'Schedule',
    });
  });

  it('names the approval that the Instance names, when the plan needs one', () => {
    const given = {
      ...plain,
      instance: instanceWith({ [APPROVAL_ANNOTATION]: 'a1' }),
      before: undefined,
      now: inputs({}),
    };
    expect(originOf({ ...given, isApprovalNeeded: true }).approval).toBe('a1');
    expect(originOf(given)).not.toHaveProperty('approval');
  });

  it('shows a secret value neither before nor after it became secret', () => {
    const was = inputs({ PASSWORD: 'in the clear' });
    const { changes } = originOf({ ...plain, before: was, now: inputs({}, 'db-1', { PASSWORD: 'abcd' }) });
    expect(changes).toEqual([{ name: 'PASSWORD', before: 'hidden', after: 'abcd', secret: true }]);
  });
});

describe('steering', () => {
  const phases = [{ name: 'one' }, { name: 'two' }];
  const steering = { isPaused: false, isCancelled: false, stopAfter: undefined, skip: [] };
  const at = (phase: string, hasBegun = false) => ({ phase, step: 's', hasBegun });

  it('holds what has not begun while it is paused, and after the phase at which it stops', () => {
    expect(verdictForStep({ ...steering, isPaused: true }, { phases }, at('one'))).toMatchObject({ do: 'hold' });
    expect(verdictForStep({ ...steering, isPaused: true }, { phases }, at('one', true))).toEqual({ do: 'go' });
    const stops = { ...steering, stopAfter: 'one' };
    expect(verdictForStep(stops, { phases }, at('one'))).toEqual({ do: 'go' });
    expect(verdictForStep(stops, { phases }, at('two'))).toMatchObject({ do: 'hold' });
    expect(verdictForStep({ ...steering, stopAfter: 'none' }, { phases }, at('two'))).toEqual({ do: 'go' });
  });

  it('skips a step that has begun too, and tells a skipped step from one that says so by chance', () => {
    const skip = [{ phase: 'one', step: 's', reason: 'by hand' }];
    expect(verdictForStep({ ...steering, skip }, { phases }, at('one', true))).toEqual({
      do: 'skip',
      message: 'Skipped: by hand',
    });
    const stepOf = (message: string) => ({
      phases: [{ name: 'one', steps: [{ name: 's', status: 'COMPLETE' as const, message }] }],
    });
    expect(skippedStepsOf(stepOf('Skipped: by hand'))({ phase: 'one', step: 's' })).toBe(true);
    expect(skippedStepsOf(stepOf('Skippedness'))({ phase: 'one', step: 's' })).toBe(false);
  });

  it('refuses what the run cannot do, and names what it can', () => {
    const known = [{ name: 'one', steps: [{ name: 's', status: 'COMPLETE' }, { name: 't' }] }];
    const skip = (step: string, phase = 'one') =>
      steerPatch(testRun(1), { do: 'skip', phase, step, reason: 'r' }, known);
    expect(() => skip('s')).toThrow('step s of phase one is complete already');
    expect(() => skip('x')).toThrow('has no step "x"; its steps are s, t');
    expect(() => skip('t', 'two')).toThrow('has no phase "two"; its phases are one');
    expect(skip('t')).toEqual({ skip: [{ phase: 'one', step: 't', reason: 'r' }] });
    expect(() => steerPatch(testRun(1, { status: 'Cancelled' }), { do: 'pause' }, known)).toThrow(
      'is over (Cancelled)',
    );
    expect(steerPatch(testRun(1), { do: 'resume' }, undefined)).toEqual({ paused: false, stopAfter: '' });
    const paused = testRun(1, {}, { paused: true, stopAfter: 'one' });
    const resumed = (status: string) => steerPatch(paused, { do: 'resume' }, [{ name: 'one', status }]);
    expect(resumed('IN_PROGRESS')).toEqual({ paused: false });
    expect(resumed('COMPLETE')).toEqual({ paused: false, stopAfter: '' });
    const cancelled = testRun(1, {}, { cancelled: true });
    expect(() => steerPatch(cancelled, { do: 'resume' }, undefined)).toThrow('is cancelled and ends after the task');
    expect(steerPatch(cancelled, { do: 'cancel' }, undefined)).toEqual({ cancelled: true });
  });

  it('says before a run is cancelled which steps it leaves half done', () => {
    const steps = [
      { name: 'a', status: 'COMPLETE' },
      { name: 'b', status: 'ERROR' },
      { name: 'c', status: 'PENDING' },
      { name: 'd' },
    ];
    const left = unfinishedSteps([
      { name: 'one', steps },
      { name: 'none', steps: null },
    ]);
    expect(left).toEqual({ halfDone: ['one/b'], notRun: 2 });
    expect(cancelWarning(left)).toBe(
      'Now half done: one/b; 2 steps have not begun. What was applied stays as it is. This cannot be taken back.',
    );
    expect(cancelWarning(unfinishedSteps(undefined))).toMatch(/^No step is half done\. What/);
  });
});

describe('the outputs of Jobs', () => {
  it('are read from the termination message, and everything else is nothing', () => {
    const backup = { type: 'backup', name: 'b1', size: 12, createdAt: '2026-01-01T00:00:00Z', more: {} };
    expect(outputsIn(JSON.stringify({ outputs: [backup, { type: 'backup' }, 7] }))).toEqual([
      { type: 'backup', name: 'b1', size: 12, createdAt: '2026-01-01T00:00:00Z' },
    ]);
    expect(outputsIn('Wrote b1.')).toEqual([]);
    expect(outputsIn(JSON.stringify({ outputs: [{ ...backup, size: -1, createdAt: 'yesterday' }] }))).toEqual([
      { type: 'backup', name: 'b1' },
    ]);
  });

  it('make the list of backups, without those that a later run has deleted', () => {
    const outputs = (...all: object[]) => ({ status: 'COMPLETE' as const, outputs: all });
    const runs = [
      testRun(3, outputs({ type: 'backup', name: 'b2', verified: true })),
      testRun(1, outputs({ type: 'backup', name: 'b1', createdAt: '2026-01-01T00:00:00Z' })),
      testRun(
        2,
        outputs(
          { type: 'backup', name: 'b2', size: 5, createdAt: '2026-01-02T00:00:00Z' },
          { type: 'backup-deleted', name: 'b1' },
        ),
      ),
    ];
    expect(backupsOf(runs)).toEqual([
      {
        name: 'b2',
        size: 5,
        createdAt: '2026-01-02T00:00:00Z',
        target: undefined,
        isVerified: true,
        run: 'db-backup-2',
      },
    ]);
  });
});

describe('the list of backups', () => {
  it('takes what a run said last of a verification', () => {
    const saying = (verified: boolean) => ({ outputs: [{ type: 'backup', name: 'b', verified }] });
    expect(backupsOf([testRun(1, saying(true)), testRun(2, saying(false))])).toMatchObject([
      { name: 'b', isVerified: false, run: 'db-backup-1' },
    ]);
  });
});

describe('secrets in a record', () => {
  const masking = { texts: new Set(['hunter2', 'ab']), fingerprints: TEST_FINGERPRINTS };

  it('are fingerprints: in Secrets every value, elsewhere secret texts', () => {
    const secret = maskObject({ data: { key: 'aGk=' }, stringData: { gone: null, text: 'x' } }, 'Secret', masking);
    expect(secret).toMatchObject({ data: { key: expect.stringMatching(FINGERPRINT) }, stringData: { gone: null } });
    const configMap = maskObject({ data: { url: 'https://u:hunter2@db', list: ['hunter2', 1] } }, 'ConfigMap', masking);
    expect(JSON.stringify(configMap)).not.toContain('hunter2');
  });

  it('are not looked for inside words when they are short', () => {
    expect(maskText('abandoned', masking)).toBe('abandoned');
    expect(maskText('ab', masking)).toMatch(FINGERPRINT);
  });
});

describe('two runs', () => {
  const record = (text: string): RunRecord => ({
    tasks: [
      {
        phase: 'p',
        step: 's',
        task: 't',
        objects: [],
        manifests: [
          {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name: 'c', annotations: { 'kudo.dev/last-plan-execution-uid': text } },
            data: { text },
          },
        ],
      },
    ],
  });
  const step = (seconds: number) => [{ name: 'p', steps: [{ name: 's', status: 'COMPLETE' as const, seconds }] }];

  it('differ in outcome, parameters, the time of a step, and manifests', () => {
    const before = { run: testRun(1, { status: 'COMPLETE', phases: step(1) }), record: record('a') };
    const changes = [{ name: 'A', before: '1', after: '2' }];
    const after = { run: testRun(2, { status: 'FATAL_ERROR', phases: step(9), changes }), record: record('b') };
    expect(compareRuns(before, after)).toEqual([
      'outcome: COMPLETE → FATAL_ERROR',
      'parameter A: "1" → "2"',
      'step p/s: COMPLETE in 1 s → COMPLETE in 9 s',
      'ConfigMap c: the manifests differ',
    ]);
  });

  it('do not differ when all of that is alike', () => {
    const run = { run: testRun(1, { status: 'COMPLETE', phases: step(1) }), record: record('a') };
    expect(compareRuns(run, run)).toEqual([]);
  });

  it('differ also in the parameters that runs between them changed', () => {
    const changing = (number: number, ...changes: { name: string; before?: string; after?: string }[]) =>
      testRun(number, { changes });
    const before = { run: changing(1, { name: 'A', after: '1' }), record: record('a') };
    const between = [changing(2, { name: 'A', before: '1', after: '2' }, { name: 'B', after: 'x' })];
    const after = { run: changing(3, { name: 'B', before: 'x' }, { name: 'C', after: 'y' }), record: record('a') };
    expect(compareRuns(before, after, between)).toEqual(['parameter A: "1" → "2"', 'parameter C: (default) → "y"']);
  });

  it('say what is not compared: parameters of different instances, and manifests that are not recorded', () => {
    const before = { run: testRun(1), record: undefined };
    const after = { run: testRun(2, {}, { instanceUid: 'another' }), record: record('a') };
    expect(compareRuns(before, after)).toEqual([
      'parameters: not compared, the runs are of different instances',
      'manifests: not compared, none are recorded of run db-backup-1',
    ]);
  });
});
