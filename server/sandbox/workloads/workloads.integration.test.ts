import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { sleep, systemClock } from '@/lib/clock/clock';
import { stringAt } from '@/lib/json/json';
import { systemRandom } from '@/lib/random/random';
import { type Sandbox, startSandbox } from '../sandbox';
import { resources } from './core/resources';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'bravo-workloads-'));
const kubeconfig = join(folder, 'kubeconfig');
const hasKubectl = ['/usr/bin/kubectl', '/usr/local/bin/kubectl'].some((path) => existsSync(path));
let sandbox: Sandbox | undefined;

afterAll(async () => {
  await sandbox?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<Sandbox> {
  sandbox = await startSandbox({
    port: 0,
    dataDir: join(folder, 'data'),
    kubeconfigPath: kubeconfig,
    mode: 'full',
    podDelayMs: 0,
    clock: systemClock,
    random: systemRandom,
  });
  return sandbox;
}

/** Waits until a pod has a phase, by looking every 20 ms for at most 10 s. */
async function untilPhase(name: string, phase: string): Promise<void> {
  for (let count = 0; count < 500; count++) {
    const pod = sandbox?.api.get({ ...resources.pods, namespace: 'default', name });
    if (stringAt(pod, 'status', 'phase') === phase) return;
    await sleep(systemClock, 20);
  }
  throw new Error(`pod ${name} does not become ${phase}`);
}

const volume = { name: 'data', persistentVolumeClaim: { claimName: 'data' } };
const container = { name: 'app', image: 'busybox', volumeMounts: [{ name: 'data', mountPath: '/data' }] };

describe('a sandbox with workloads', () => {
  it('runs pods, and their claims keep their files over a restart', async () => {
    const { api } = await start();
    const scope = { ...resources.pods, namespace: 'default' };
    const claims = { ...resources.persistentvolumeclaims, namespace: 'default' };
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    api.create(claims, { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data' }, spec });
    const writer = {
      restartPolicy: 'Never',
      volumes: [volume],
      containers: [{ ...container, command: ['sh', '-c', 'echo kept > /data/f'] }],
    };
    api.create(scope, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'writer' }, spec: writer });
    await untilPhase('writer', 'Succeeded');
    await sandbox?.stop();
    const again = await start();
    const reader = {
      restartPolicy: 'Never',
      volumes: [volume],
      containers: [{ ...container, command: ['grep', '-q', 'kept', '/data/f'] }],
    };
    again.api.create(scope, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'reader' }, spec: reader });
    await untilPhase('reader', 'Succeeded');
  });

  it.skipIf(!hasKubectl)('answers kubectl exec and logs', async () => {
    const { api } = sandbox ?? (await start());
    const spec = { containers: [{ name: 'app', image: 'busybox', command: ['sh', '-c', 'echo up; sleep infinity'] }] };
    api.create(
      { ...resources.pods, namespace: 'default' },
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec },
    );
    await untilPhase('web', 'Running');
    const kubectl = async (...args: string[]) => (await run('kubectl', ['--kubeconfig', kubeconfig, ...args])).stdout;
    expect(await kubectl('logs', 'web')).toBe('up\n');
    expect(await kubectl('exec', 'web', '--', 'sh', '-c', 'echo $HOSTNAME > /tmp/x; cat /tmp/x')).toBe('web\n');
    await expect(kubectl('exec', 'web', '--', 'sh', '-c', 'exit 3')).rejects.toMatchObject({ code: 3 });
  });
});
