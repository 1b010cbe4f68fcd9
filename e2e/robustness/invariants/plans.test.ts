import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { withRunQueue } from '@/lib/kudo/queue/run-queue';
import type { Instance } from '@/lib/kudo/types';
import type { Fact, Rest } from './fact';
import { appliedConfigMap, change, instanceWith, VERSION, violationsOf, type Written } from './facts-fixture';
import { liveness } from './liveness';
import { noWayBack } from './no-way-back';
import { nothingLost } from './nothing-lost';
import { planOrder } from './plan-order';

describe('I1, liveness', () => {
  const check = (atMs: number, nextReconcileMs: number | undefined, undisturbedMs = atMs): Fact => {
    return { fact: 'check', atMs, instance: 'ns/sim', isBusy: true, nextReconcileMs, undisturbedMs };
  };

  it('reports a process that sends requests without a pause', () => {
    const rush: Fact = { fact: 'rush', atMs: 7, by: 'a', calls: 2_000, path: '/api/v1/pods' };
    expect(violationsOf(liveness, [rush, rush])).toEqual([
      'I1: a sent 2000 requests at 7 ms without a pause, the last one to /api/v1/pods',
    ]);
  });

  it('reports an Instance that is not reconciled again within a minute', () => {
    expect(violationsOf(liveness, [check(0, 60_000)])).toEqual([]);
    expect(violationsOf(liveness, [check(0, 120_000)])).toEqual(['I1: ns/sim is not reconciled again for 120000 ms']);
  });

  it('reports an Instance that no controller reconciles', () => {
    expect(violationsOf(liveness, [check(0, undefined), check(100_000, 0), check(300_000, undefined)])).toEqual([]);
    expect(violationsOf(liveness, [check(0, undefined), check(300_000, undefined)])).toHaveLength(1);
    expect(violationsOf(liveness, [check(0, undefined), check(300_000, undefined, 100_000)])).toEqual([]);
  });
});

describe('I4, order', () => {
  const version = change('ADDED', VERSION);

  it('reports a step that starts while the step before is in progress', () => {
    const early = change('MODIFIED', instanceWith({ steps: ['IN_PROGRESS', 'IN_PROGRESS'] }));
    expect(violationsOf(planOrder, [version, early])).toEqual([
      'I4: sim.deploy.p0.s1 is IN_PROGRESS while s0 is IN_PROGRESS',
    ]);
  });

  const early = (before: KubeObject, status = 'IN_PROGRESS') => [
    version,
    change('MODIFIED', instanceWith({ steps: ['IN_PROGRESS', 'PENDING'] })),
    change('ADDED', before),
    change('MODIFIED', instanceWith({ steps: [status, 'PENDING'] })),
    change('ADDED', appliedConfigMap('two', { step: 's1' })),
  ];

  it('reports an object that is written before the completion of a step with something that runs is stored', () => {
    const runs = { ...appliedConfigMap('one'), apiVersion: 'apps/v1', kind: 'Deployment' };
    expect(violationsOf(planOrder, early(runs))).toEqual(['I4: ConfigMap two of p0.s1 was written before s0 was over']);
    expect(violationsOf(planOrder, early(runs, 'COMPLETE'))).toEqual([]);
  });

  it('lets a step that may run again be stored later, unless it failed', () => {
    expect(violationsOf(planOrder, early(appliedConfigMap('one')))).toEqual([]);
    expect(violationsOf(planOrder, early(appliedConfigMap('one'), 'ERROR'))).toHaveLength(1);
  });

  it('reports an object that is written before the completion of a step that deletes is stored', () => {
    const { spec } = VERSION;
    const [phase] = spec.plans.deploy.phases;
    const steps = [{ name: 's0', tasks: ['remove'] }, { name: 's1' }];
    const deploy = { ...spec.plans.deploy, phases: [{ ...phase, name: 'p0', steps }] };
    const deleting = { ...VERSION, spec: { ...spec, tasks: [{ name: 'remove', kind: 'Delete' }], plans: { deploy } } };
    const [, ...facts] = early(appliedConfigMap('one'));
    expect(violationsOf(planOrder, [change('ADDED', deleting), ...facts])).toHaveLength(1);
  });
});

describe('I5, no way back', () => {
  const from = (before: Written, after: Written) =>
    violationsOf(noWayBack, [
      change('MODIFIED', instanceWith(before)),
      change('MODIFIED', instanceWith(after), instanceWith(before)),
    ]);

  it('reports a step that leaves COMPLETE', () => {
    expect(from({ steps: ['COMPLETE', 'PENDING'] }, { steps: ['IN_PROGRESS', 'PENDING'] })).toEqual([
      'I5: step deploy.p0.s0 went from COMPLETE to IN_PROGRESS',
    ]);
  });

  it('reports an ended plan whose status changes, and an ended execution that returns after another one', () => {
    expect(from({ status: 'COMPLETE' }, { status: 'IN_PROGRESS' })).toEqual([
      'I5: plan deploy went from COMPLETE to IN_PROGRESS',
    ]);
    const facts = [
      change('MODIFIED', instanceWith({ status: 'COMPLETE', uid: 'u1' })),
      change('MODIFIED', instanceWith({ uid: 'u2' }), instanceWith({ status: 'COMPLETE', uid: 'u1' })),
      change('MODIFIED', instanceWith({ uid: 'u1' }), instanceWith({ uid: 'u2' })),
    ];
    expect(violationsOf(noWayBack, facts)).toEqual(['I5: the ended execution u1 of plan deploy came back']);
  });

  it('reports a uid that two executions share', () => {
    expect(from({ plan: 'deploy', uid: 'u1' }, { plan: 'backup', uid: 'u1' })).toHaveLength(1);
  });
});

describe('I6, nothing lost', () => {
  const invariant = nothingLost(() => VERSION);
  const rest = (written: Written): Rest => ({ fact: 'rest', instance: instanceWith(written) });

  it('reports an edit that the controller did not act upon', () => {
    expect(violationsOf(invariant, [rest({ parameters: { B: 'new' } })])[0]).toContain('did not act upon');
  });

  it('reports a value that its plan never used', () => {
    const begun = change('MODIFIED', instanceWith({ seen: {} }));
    const lost = rest({ parameters: { B: 'new' }, seen: { B: 'new' } });
    expect(violationsOf(invariant, [begun, lost])).toEqual([
      'I6: parameter B is new, but plan backup last started with b (u1)',
    ]);
    const seen = change('MODIFIED', instanceWith({ seen: { B: 'new' }, plan: 'backup', uid: 'u2' }));
    expect(violationsOf(invariant, [begun, seen, lost])).toEqual([]);
    // The plan waits behind one that failed.
    const waiting = withRunQueue(lost.instance as Instance, {
      entries: [{ plan: 'backup', uid: 'q', cause: 'Parameters', at: '' }],
    });
    expect(violationsOf(invariant, [begun, { ...lost, instance: waiting }])).toEqual([]);
    const takenOff: Fact = { fact: 'taken-off', instanceUid: 'i', plan: 'backup', uid: 'q' };
    expect(violationsOf(invariant, [begun, takenOff, lost])).toEqual([]);
  });

  it('reports a plan that was recorded for an edit and never started', () => {
    const begun = change('MODIFIED', instanceWith({ seen: {} }));
    const recorded = instanceWith({ parameters: { B: 'new' }, seen: { B: 'new' }, plan: 'backup', uid: 'u2' });
    const { status: _, ...unbegun } = recorded;
    const facts = [
      begun,
      change('MODIFIED', unbegun),
      rest({ parameters: { B: 'new' }, seen: { B: 'new' }, uid: 'u1' }),
    ];
    expect(violationsOf(invariant, facts)[0]).toContain('plan backup was recorded and never started (u2)');
  });
});
