import { describe, expect, it } from 'vitest';
import type { OperatorVersion, Phase, PlanStatus } from '@/lib/kudo/types';
import { readinessOfEnded, readinessOfResources, readinessOfRunning, withReadiness } from './readiness';
import { initialisePlanStatuses, resetPlanStatus } from './status';

const phase = (name: string, ...steps: string[]): Phase => ({
  name,
  steps: steps.map((step) => ({ name: step, tasks: [] })),
});
const version = (...phases: Phase[]): OperatorVersion => ({
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'OperatorVersion',
  metadata: { name: 'v' },
  spec: { plans: { deploy: { phases } } },
});
const complete: PlanStatus = {
  name: 'deploy',
  status: 'COMPLETE',
  uid: 'u1',
  phases: [{ name: 'a', status: 'COMPLETE', steps: [{ name: 's', status: 'COMPLETE' }] }],
};
const NOW = '2026-01-01T00:00:00Z';

describe('initialisePlanStatuses', () => {
  it('CTL-17 knows every plan, phase and step as NEVER_RUN', () => {
    expect(initialisePlanStatuses(version(phase('a', 's')), undefined).deploy).toEqual({
      name: 'deploy',
      status: 'NEVER_RUN',
      phases: [{ name: 'a', status: 'NEVER_RUN', steps: [{ name: 's', status: 'NEVER_RUN' }] }],
    });
  });

  it('CTL-18 CTL-19 keeps what is there, also of plans that the version does not have', () => {
    const statuses = initialisePlanStatuses(version(phase('a', 's')), { deploy: complete, old: { name: 'old' } });
    expect(statuses).toEqual({ deploy: complete, old: { name: 'old' } });
  });

  it('CTL-20 CTL-21 adds and drops phases and steps in the version’s order', () => {
    const { deploy } = initialisePlanStatuses(version(phase('b', 't'), phase('a', 'r', 's')), { deploy: complete });
    expect(deploy?.phases).toEqual([
      { name: 'b', status: 'NEVER_RUN', steps: [{ name: 't', status: 'NEVER_RUN' }] },
      {
        name: 'a',
        status: 'COMPLETE',
        steps: [
          { name: 'r', status: 'NEVER_RUN' },
          { name: 's', status: 'COMPLETE' },
        ],
      },
    ]);
  });
});

describe('resetPlanStatus', () => {
  it('CTL-15 makes everything PENDING under the new uid, without messages', () => {
    const failed = {
      ...complete,
      phases: [
        {
          name: 'a',
          status: 'FATAL_ERROR' as const,
          message: 'm',
          steps: [{ name: 's', status: 'ERROR' as const, message: 'm' }],
        },
      ],
    };
    expect(resetPlanStatus(failed, 'u2', NOW)).toEqual({
      name: 'deploy',
      status: 'PENDING',
      uid: 'u2',
      lastUpdatedTimestamp: NOW,
      phases: [{ name: 'a', status: 'PENDING', steps: [{ name: 's', status: 'PENDING' }] }],
    });
  });
});

describe('readiness', () => {
  it.each([
    ['RDY-01 a plan that changes the Instance', readinessOfRunning('deploy'), 'Unknown', 'PlanInProgress'],
    ['RDY-02 a plan that is complete', readinessOfEnded('deploy', 'COMPLETE'), 'True', 'ResourcesReady'],
    ['RDY-04 no resources', readinessOfResources([]), 'True', 'ResourcesReady'],
    ['RDY-05 one unhealthy resource', readinessOfResources(['x']), 'False', 'ResourceNotReady'],
    ['RDY-08 a fatal error', readinessOfEnded('deploy', 'FATAL_ERROR'), 'Unknown', 'PlanInFatalError'],
  ])('%s is said', (_title, readiness, status, reason) => {
    if (readiness === undefined) throw new Error('nothing said');
    expect(withReadiness([], readiness, NOW)).toMatchObject([
      { type: 'Ready', status, reason, lastTransitionTime: NOW },
    ]);
  });

  it('RDY-06 joins what is wrong', () => {
    expect(readinessOfResources(['a', 'b'])).toEqual({ reason: 'ResourceNotReady', message: 'a, b' });
  });

  it('RDY-07 says nothing of a plan that changes nothing', () => {
    expect(readinessOfRunning('backup')).toBeUndefined();
  });

  it('RDY-09 gives the same array when nothing changes, and keeps the time when the word stays', () => {
    const first = withReadiness([], readinessOfResources(['a']), NOW);
    expect(withReadiness(first, readinessOfResources(['a']), 'later')).toBe(first);
    expect(withReadiness(first, readinessOfResources(['b']), 'later')[0]?.lastTransitionTime).toBe(NOW);
  });
});
