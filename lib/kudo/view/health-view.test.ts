import { describe, expect, it } from 'vitest';
import { HEALTH_CHECKS_ANNOTATION } from '../health-checks/definitions';
import type { HealthCheckStatus } from '../health-checks/types';
import type { Condition, Instance, OperatorVersion } from '../types';
import { healthView, verdictWord } from './health-view';
import { instanceRow } from './instance-row';
import { needsAttention } from './overview-lists';

const version = (checks: object[]): OperatorVersion => ({
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'OperatorVersion',
  metadata: { name: 'db-1', annotations: { [HEALTH_CHECKS_ANNOTATION]: JSON.stringify(checks) } },
});
const instance = (healthChecks: HealthCheckStatus[], healthy?: Pick<Condition, 'status' | 'message'>): Instance => ({
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'Instance',
  metadata: { name: 'orders', namespace: 'demo' },
  spec: { operatorVersion: { name: 'db-1' } },
  status: {
    planStatus: { deploy: { status: 'COMPLETE', lastUpdatedTimestamp: '2026-01-01T00:00:00Z' } },
    ...(healthChecks.length === 0 ? {} : { healthChecks }),
    conditions: healthy === undefined ? [] : [{ type: 'Healthy', reason: 'X', lastTransitionTime: '', ...healthy }],
  },
});

const lag = { name: 'lag', displayName: 'Replication', kind: 'exec', command: ['x'], message: 'A replica is late.' };

describe('health checks on pages', () => {
  it('have the title and the advice of the operator, and the text and times of their result', () => {
    const since = '2026-01-01T00:00:00Z';
    const result: HealthCheckStatus = {
      name: 'lag',
      status: 'Failing',
      message: 'replication lag 95 s',
      pod: 'orders-1',
    };
    const shown = healthView(
      instance([{ ...result, lastTransitionTime: since, lastProbeTime: since }]),
      version([lag]),
    );
    expect(shown?.checks).toEqual([
      {
        name: 'lag',
        title: 'Replication',
        verdict: 'Failing',
        status: 'failing',
        message: 'replication lag 95 s',
        advice: 'A replica is late.',
        pod: 'orders-1',
        since,
        checkedAt: since,
      },
    ]);
    expect(healthView(instance([{ ...result, message: 'A replica is late' }]), version([lag]))?.checks[0]?.advice).toBe(
      '',
    );
    expect(healthView(instance([{ ...result, status: 'Passing' }]), version([lag]))?.checks[0]?.advice).toBe('');
  });

  it('that have no result yet say so; an operator without checks shows nothing', () => {
    expect(healthView(instance([]), version([lag]))?.note).toContain('No health check has run yet');
    expect(healthView(instance([]), version([]))).toBeUndefined();
    expect(healthView(instance([]), undefined)).toBeUndefined();
  });

  it('are the message of the condition where an old definition of the kind drops the results', () => {
    const message = 'lag 95 s on orders-1 (health check lag)';
    expect(healthView(instance([], { status: 'False', message }), version([lag]))).toEqual({
      checks: [],
      note: message,
    });
  });

  it('are not checked where the sandbox only simulates the program', () => {
    expect(verdictWord({ verdict: 'Simulated' })).toBe('Not checked');
    expect(verdictWord({ verdict: 'Failing' })).toBe('Failing');
  });
});

describe('the state of an Instance', () => {
  const row = (status: Condition['status']) => {
    const message = 'lag 95 s on orders-1 (health check lag); late on orders-2 (health check net)';
    return instanceRow(instance([], { status, message }), new Map(), false);
  };

  it('is unhealthy with the text and the pod of a failing check, and needs attention', () => {
    const failing = row('False');
    expect(failing.state).toMatchObject({ key: 'failing', word: 'Unhealthy', reason: 'lag 95 s on orders-1' });
    expect(failing.state.detail).toContain('(health check net)');
    expect(needsAttention(failing)).toBe(true);
  });

  it('is unknown when a check finds nothing out, and healthy when all pass', () => {
    expect(row('Unknown').state).toMatchObject({ key: 'unknown', word: 'Health unknown' });
    expect(needsAttention(row('Unknown'))).toBe(true);
    expect(row('True').state).toMatchObject({ key: 'healthy', reason: '' });
  });
});
