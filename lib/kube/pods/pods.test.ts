import { describe, expect, it } from 'vitest';
import { explainExitCode } from './exit-code';
import { containersOfPod } from './pod-containers';

const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'demo' },
  spec: {
    initContainers: [
      { name: 'prepare', image: 'busybox' },
      { name: 'proxy', image: 'envoy', restartPolicy: 'Always' },
    ],
    containers: [
      {
        name: 'app',
        image: 'app:1',
        ports: [{ containerPort: 8080, name: 'http' }],
        resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '128Mi' } },
        startupProbe: { exec: { command: ['ready', '-q'] }, failureThreshold: 1 },
        readinessProbe: { tcpSocket: { port: 'http' } },
        livenessProbe: {
          httpGet: { path: '/live', port: 8080, scheme: 'HTTPS' },
          initialDelaySeconds: 5,
          periodSeconds: 3,
        },
      },
      { name: 'late', image: 'missing:1' },
    ],
    ephemeralContainers: [{ name: 'debug', image: 'busybox', targetContainerName: 'app' }],
  },
  status: {
    initContainerStatuses: [
      {
        name: 'prepare',
        state: { terminated: { exitCode: 0, reason: 'Completed', finishedAt: '2026-11-29T00:00:00Z' } },
      },
      { name: 'proxy', ready: true, state: { running: { startedAt: '2026-11-29T00:00:01Z' } } },
    ],
    containerStatuses: [
      {
        name: 'app',
        ready: false,
        restartCount: 2,
        state: { running: { startedAt: '2026-11-29T00:00:05Z' } },
        lastState: { terminated: { exitCode: 137, reason: 'OOMKilled', finishedAt: '2026-11-29T00:00:04Z' } },
      },
      {
        name: 'late',
        restartCount: 0,
        state: { waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling' } },
      },
    ],
    ephemeralContainerStatuses: [{ name: 'debug', state: { running: { startedAt: '2026-11-29T00:01:00Z' } } }],
  },
};

describe('containersOfPod', () => {
  it('has all of them, the main ones first, each with its role and state', () => {
    const words = containersOfPod(POD).map(({ name, role, word, status }) => `${name} ${role} ${word} ${status}`);
    expect(words).toEqual([
      'app main Running, not ready unhealthy',
      'late main ImagePullBackOff failing',
      'proxy sidecar Running healthy',
      'prepare init Completed COMPLETE',
      'debug ephemeral Running healthy',
    ]);
  });

  it('says how a container ended before, what it asks for and how it is probed', () => {
    const [app] = containersOfPod(POD);
    expect(app).toMatchObject({
      restarts: 2,
      hasPreviousLog: true,
      lastEnd: { exitCode: 137, meaning: 'The container used more memory than its limit and was killed (SIGKILL).' },
      requests: { cpu: '100m', memory: '64Mi' },
      limits: { cpu: undefined, memory: '128Mi' },
      ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
      probes: [
        { kind: 'startup', asks: 'runs ready -q', rhythm: 'every 10 s, 1 failure' },
        { kind: 'readiness', asks: 'connects to :http', rhythm: 'every 10 s, 3 failures' },
        { kind: 'liveness', asks: 'HTTPS GET :8080/live', rhythm: 'after 5 s, every 3 s, 3 failures' },
      ],
    });
  });

  it('knows a pod that no node has taken', () => {
    const { status: _, ...pending } = POD;
    expect(containersOfPod(pending)[0]).toMatchObject({ word: 'Waiting', status: 'waiting', restarts: 0 });
  });
});

describe('explainExitCode', () => {
  it.each([
    [0, '', 'without an error'],
    [3, '', 'defines itself'],
    [127, '', 'does not exist'],
    [137, 'OOMKilled', 'more memory than its limit'],
    [137, 'Error', 'grace period'],
    [141, '', 'signal 13 (SIGPIPE)'],
    [160, '', 'signal 32.'],
  ])('explains %d %s', (code, reason, words) => {
    expect(explainExitCode(code, reason)).toContain(words);
  });
});
