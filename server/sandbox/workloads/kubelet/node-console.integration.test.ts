import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { systemRandom } from '@/lib/random/random';
import { type ClosableApi, createApi } from '@/server/kube/http-api';
import { clusterOf } from '@/test/engine/https-engine';
import { startKubeletServer } from '@/test/node/kubelet-server';
import { LogFile } from '@/test/node/log-file';
import { freePort, temporaryFolder } from '@/test/programs/process';
import { type Sandbox, startSandbox } from '../../sandbox';
import { resources } from '../core/resources';

/** A sandbox without simulated pods asks the kubelet endpoint of a pod's Node for logs and commands. */
describe('a pod of a real node', () => {
  const target = { ...resources.pods, namespace: 'default', name: 'web' };
  let sandbox: Sandbox;
  let api: ClosableApi;
  let close: () => void;

  beforeAll(async () => {
    const log = new LogFile(join(temporaryFolder('log'), 'main.log'));
    log.write(Buffer.from('one\ntwo\nthree\n'));
    const port = await freePort();
    const kubelet = await startKubeletServer('127.0.0.1', port, (namespace, pod, container) => {
      if (`${namespace}/${pod}/${container}` !== 'default/web/main') return undefined;
      return {
        log,
        previousLog: undefined,
        async exec([program, code], output) {
          if (program === 'absent') throw new Error('executable file not found in $PATH');
          output.onStdout(Buffer.from(`ran ${program}`));
          output.onStderr(Buffer.from('complaint'));
          return Number(code);
        },
      };
    });
    close = () => kubelet.close();
    sandbox = await startSandbox({
      ...{ port: 0, mode: 'no-pods', podDelayMs: 0, clock: systemClock, random: systemRandom },
    });
    api = createApi(clusterOf(sandbox), { clock: systemClock });
    const status = {
      addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
      daemonEndpoints: { kubeletEndpoint: { Port: port } },
    };
    await api.create(resources.nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'real' } });
    await api.patch({ ...resources.nodes, name: 'real' }, 'merge', { status }, { subresource: 'status' });
    const spec = { nodeName: 'real', containers: [{ name: 'main', image: 'busybox:1' }] };
    await api.create(
      { ...resources.pods, namespace: 'default' },
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec },
    );
  });

  afterAll(async () => {
    await api?.close();
    await sandbox?.stop();
    close?.();
  });

  async function log(options: { tailLines?: number; previous?: boolean }): Promise<string> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of api.log(target, options)) chunks.push(chunk);
    return Buffer.concat(chunks).toString('utf8');
  }

  it('has the log that its node has', async () => {
    expect(await log({})).toBe('one\ntwo\nthree\n');
    expect(await log({ tailLines: 1 })).toBe('three\n');
  });

  it('has no log of an earlier run when its node has none', async () => {
    await expect(log({ previous: true })).rejects.toThrow(
      'previous terminated container "main" in pod "web" not found',
    );
  });

  it('runs commands on its node', async () => {
    const exec = (...command: string[]) => api.exec(target, { command, maxBytes: 1_000 });
    expect(Buffer.from(await exec('true', '0')).toString('utf8')).toBe('ran true');
    await expect(exec('false', '3')).rejects.toThrow('Exit code 3: complaint');
    await expect(exec('absent')).rejects.toThrow('executable file not found in $PATH');
  });

  it('cannot be reached on a node that does not exist', async () => {
    await api.delete({ ...resources.nodes, name: 'real' });
    await expect(log({})).rejects.toThrow('nodes "real" not found');
  });
});
