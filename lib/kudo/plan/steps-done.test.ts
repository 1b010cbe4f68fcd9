import { describe, expect, it } from 'vitest';
import type { ExecutionStatus, Instance } from '../types';
import { stepsDone } from './steps-done';

const instance = (uid: string, statuses: readonly ExecutionStatus[], message = ''): Instance => ({
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'Instance',
  metadata: { name: 'app', namespace: 'lab' },
  spec: { operatorVersion: { name: 'v' } },
  status: {
    planStatus: {
      deploy: {
        name: 'deploy',
        uid,
        status: 'IN_PROGRESS',
        phases: [
          {
            name: 'main',
            status: 'IN_PROGRESS',
            steps: statuses.map((status, at) => ({ name: `s${at}`, status, message })),
          },
        ],
      },
    },
  },
});

describe('how far plans are', () => {
  it('changes when a step is complete or another run begins', () => {
    const before = stepsDone(instance('a', ['COMPLETE', 'IN_PROGRESS']));
    expect(stepsDone(instance('a', ['COMPLETE', 'COMPLETE']))).not.toBe(before);
    expect(stepsDone(instance('b', ['COMPLETE', 'IN_PROGRESS']))).not.toBe(before);
  });

  it('stays when a step only fails in other words', () => {
    const before = stepsDone(instance('a', ['COMPLETE', 'IN_PROGRESS']));
    expect(stepsDone(instance('a', ['COMPLETE', 'ERROR'], 'denied, request 17'))).toBe(before);
    expect(stepsDone(undefined)).toBe('');
  });
});
