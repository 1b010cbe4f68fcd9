import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { healthyConditionOf } from '@/lib/kudo/health-checks/results';
import type { Instance } from '@/lib/kudo/types';
import { type RealCluster, startRealCluster } from '@/test/node/real-cluster';
import { temporaryFolder } from '@/test/programs/process';

const OPERATOR = `apiVersion: kudo.dev/v1beta1
name: watched
operatorVersion: "1.0.0"
kubernetesVersion: "1.25.0"
tasks:
  - {name: serve, kind: Apply, spec: {resources: [pods.yaml]}}
plans:
  deploy:
    strategy: serial
    phases: [{name: main, strategy: serial, steps: [{name: serve, tasks: [serve]}]}]
healthChecks:
  - name: lag
    displayName: Replication
    kind: exec
    pods: {app: "{{ .Name }}"}
    command: [sh, -c, "echo replication lag $(cat /tmp/lag 2>/dev/null || echo 0) s; test ! -e /tmp/lag"]
    period: 5s
  - {name: page, kind: http, port: 8080, path: /tmp/page, mode: any, period: 5s}
  - {name: port, kind: tcp, port: "{{ .Params.PORT }}", mode: first, period: 5s, timeout: 3s}
`;
const PARAMETERS = 'apiVersion: kudo.dev/v1beta1\nparameters:\n  - {name: PORT, default: "8080"}\n';
/** The server is not the container's first process, so that it can be killed alone. */
const PODS = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: "{{ .Name }}"}
spec:
  replicas: 2
  podManagementPolicy: Parallel
  serviceName: "{{ .Name }}"
  selector: {matchLabels: {app: "{{ .Name }}"}}
  template:
    metadata: {labels: {app: "{{ .Name }}"}}
    spec:
      terminationGracePeriodSeconds: 1
      containers:
        - name: main
          image: busybox:1.37.0
          command: [sh, -c, "echo served > /tmp/page; httpd -p {{ .Params.PORT }} -h /; trap 'exit 0' TERM; sleep 100000 & wait"]
`;

/** The three kinds of health checks in real containers, through the API server and a controller that is a process of its own. */
describe('health checks', () => {
  let cluster: RealCluster;

  beforeAll(async () => {
    const folder = temporaryFolder('watched');
    mkdirSync(join(folder, 'templates'));
    writeFileSync(join(folder, 'operator.yaml'), OPERATOR);
    writeFileSync(join(folder, 'params.yaml'), PARAMETERS);
    writeFileSync(join(folder, 'templates', 'pods.yaml'), PODS);
    cluster = await startRealCluster();
    await cluster.bravo('package', 'verify', folder);
    await cluster.bravo('install', folder, '--instance', 'watched', '--wait');
  });
  afterAll(() => cluster?.stop());

  async function instance(): Promise<Instance> {
    const found = await cluster.api.get({ ...INSTANCES, namespace: 'default', name: 'watched' });
    if (found === undefined) throw new Error('Instance watched does not exist');
    return found as Instance;
  }

  /** Resolves when the Instance has these results. */
  function results(...wanted: [name: string, status: string, message: string][]): Promise<Instance> {
    return cluster.until(async () => {
      const found = await instance();
      const known = (found.status?.healthChecks ?? []).map(({ name, status, message }) => [name, status, message]);
      expect(known).toEqual(wanted);
      return found;
    }, 30_000);
  }

  const lag = (seconds: number, status: string): [string, string, string] => [
    'lag',
    status,
    `replication lag ${seconds} s`,
  ];
  const SERVES: [string, string, string][] = [
    ['page', 'Passing', 'HTTP 200'],
    ['port', 'Passing', 'port 8080 accepts connections'],
  ];

  it('pass with what the containers answer', async () => {
    const found = await results(lag(0, 'Passing'), ...SERVES);
    expect(healthyConditionOf(found)).toMatchObject({ status: 'True', message: 'All 3 health checks pass.' });
  });

  it('fail with the text and the pod of a command that fails, on the command line too', async () => {
    await cluster.exec('watched-1', 'sh', '-c', 'echo 95 > /tmp/lag');
    const found = await results(lag(95, 'Failing'), ...SERVES);
    const message = 'replication lag 95 s on watched-1 (health check lag)';
    expect(healthyConditionOf(found)).toMatchObject({ status: 'False', message });
    expect(await cluster.bravo('get', 'instances')).toContain(`Unhealthy: ${message}`);
    expect(await cluster.bravo('plan', 'status', '--instance', 'watched')).toContain(
      'Replication [Failing] (replication lag 95 s on watched-1)',
    );
  });

  it('go on in a new controller after a kill', async () => {
    await cluster.replaceController();
    await cluster.exec('watched-1', 'rm', '/tmp/lag');
    const found = await results(lag(0, 'Passing'), ...SERVES);
    expect(healthyConditionOf(found)?.status).toBe('True');
  });

  it('fail over HTTP and TCP when nothing listens any more', async () => {
    for (const pod of ['watched-0', 'watched-1']) await cluster.exec(pod, 'killall', 'httpd');
    await results(
      lag(0, 'Passing'),
      ['page', 'Failing', 'health check page failed'],
      ['port', 'Failing', 'port 8080 refuses connections'],
    );
  });
});
