import { describe, expect, it } from 'vitest';
import { arrayAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { type ContainerView, podPhase, podStatus, type Terminated } from './pod-status';

const pod: KubeObject = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'shop' }, spec: {} };

function container(name: string, more: Partial<ContainerView> = {}): ContainerView {
  return {
    ...{ name, image: 'busybox:1', imageID: '', containerID: '', last: undefined, restartCount: 0 },
    ...{ isReady: false, isStarted: false, hasEnded: false, isSidecar: false },
    state: { kind: 'waiting', reason: 'ContainerCreating', message: '' },
    ...more,
  };
}

const running = { state: { kind: 'running', startedMs: 0 }, isReady: true, isStarted: true } as const;
const ended = (exitCode: number): { state: Terminated } => ({
  state: { kind: 'terminated', exitCode, reason: 'Error', message: '', startedMs: 0, finishedMs: 0, containerID: '' },
});
const phase = (inits: ContainerView[], mains: ContainerView[]) =>
  podPhase({ pod, hostIP: '10.0.0.1', podIP: '10.0.0.2', inits, mains });

describe('the phase of a pod', () => {
  it('is Pending until its init containers have succeeded and all containers were started', () => {
    expect(phase([container('init', running)], [container('a')])).toBe('Pending');
    expect(phase([container('init', ended(0))], [container('a'), container('b', running)])).toBe('Pending');
    expect(phase([container('init', ended(0))], [container('a', running)])).toBe('Running');
  });

  it('is Running while a container will be started again', () => {
    expect(phase([], [container('a', ended(1))])).toBe('Running');
  });

  it('is Succeeded or Failed when all have ended for good, and Failed after an init container', () => {
    const done = { hasEnded: true };
    expect(phase([], [container('a', { ...ended(0), ...done })])).toBe('Succeeded');
    expect(phase([], [container('a', { ...ended(0), ...done }), container('b', { ...ended(2), ...done })])).toBe(
      'Failed',
    );
    expect(phase([container('init', { ...ended(1), ...done })], [container('a')])).toBe('Failed');
  });

  it('waits for a sidecar to start, not to end', () => {
    expect(phase([container('log', { ...running, isSidecar: true })], [container('a', running)])).toBe('Running');
  });
});

it('a condition keeps its time while it stays the same, and conditions of others are kept', () => {
  const before = [
    { type: 'Ready', status: 'True', lastTransitionTime: '2020-01-01T00:00:00Z' },
    { type: 'DisruptionTarget', status: 'True' },
  ];
  const seen = { ...pod, status: { conditions: before } };
  const status = podStatus(
    { pod: seen, hostIP: '', podIP: '10.0.0.2', inits: [], mains: [container('a', running)] },
    0,
  );
  const conditions = arrayAt(status, 'conditions');
  const time = (type: string) =>
    stringAt(
      conditions.find((each) => stringAt(each, 'type') === type),
      'lastTransitionTime',
    );
  expect(time('Ready')).toBe('2020-01-01T00:00:00Z');
  expect(time('ContainersReady')).toBe('1970-01-01T00:00:00Z');
  expect(conditions).toContainEqual({ type: 'DisruptionTarget', status: 'True' });
});
