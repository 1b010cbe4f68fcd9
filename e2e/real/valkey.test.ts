import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RealCluster, startRealCluster } from '@/test/node/real-cluster';
import { CLAIMS, SECRETS } from '@/test/node/resources';
import { IMAGE, Valkey } from './valkey-fixture';

const PARAMETERS = ['TLS=generated', 'PERSISTENCE=both', 'METRICS=true', 'ENCRYPTION_SECRET=key'];
const INSTALL = [
  ...['install', 'operators/valkey/1.1.0', '--instance', 'vk', '--wait'],
  ...PARAMETERS.flatMap((each) => ['-p', each]),
];

/** The bundled operator with TLS, metrics and encrypted backups, with real servers on real volumes. */
describe('valkey', () => {
  let cluster: RealCluster;
  let valkey: Valkey;
  const tls = ['--tls', '--cacert', '/tls/ca.crt'];

  beforeAll(async () => {
    cluster = await startRealCluster();
    valkey = new Valkey(cluster);
    const data = { password: Buffer.from('of the backups').toString('base64') };
    await cluster.api.create(
      { ...SECRETS, namespace: 'default' },
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'key' }, data },
    );
    await cluster.bravo(...INSTALL);
    await startClient(cluster);
  });
  afterAll(() => cluster?.stop());

  it('lets a client in over TLS with the URI of the Secret, and no other one', async () => {
    const uri = await valkey.secret('uri');
    expect(uri).toMatch(/^rediss:\/\/default:\w{24}@vk\.default\.svc:6379$/);
    const ask = (...words: string[]) => cluster.exec('client', 'valkey-cli', '-e', '--no-auth-warning', ...words);
    expect(await ask('-u', uri, ...tls, 'SET', 'color', 'green')).toBe('OK\n');
    await expect(ask('-u', uri.replace('default:', 'default:x'), ...tls, 'PING')).rejects.toThrow('WRONGPASS');
    expect(await ask('-h', 'vk', 'PING').catch(String)).not.toContain('PONG');
  });

  it('gives clients no rights to administer the server', async () => {
    const uri = await valkey.secret('uri');
    const ask = (...words: string[]) =>
      cluster.exec('client', 'valkey-cli', '-e', '--no-auth-warning', '-u', uri, ...tls, ...words);
    await expect(ask('CONFIG', 'GET', 'masterauth')).rejects.toThrow('NOPERM');
    await expect(ask('REPLICAOF', 'NO', 'ONE')).rejects.toThrow('NOPERM');
  });

  it('replicates over TLS', async () => {
    await cluster.until(async () => expect(await valkey.roles(2)).toEqual(['master', 'slave of vk-0']));
    await cluster.until(async () => expect(await valkey.inside('vk-1', 'GET', 'color')).toBe('green'));
  });

  it('has health checks that ask over TLS', () =>
    cluster.until(async () =>
      expect(await cluster.health('vk')).toEqual([
        expect.stringMatching(/^Passing: 1 of 1 replicas are up to date, replication lag \d s$/),
        expect.stringMatching(/^Passing: .*of 153 MiB in use/),
      ]),
    ));

  it('serves metrics of each server', async () => {
    const script = `exec 3<>/dev/tcp/127.0.0.1/9121; printf 'GET /metrics HTTP/1.0\\r\\n\\r\\n' >&3; cat <&3`;
    expect(await valkey.sh('vk-0', script)).toMatch(/^redis_up 1$/m);
    expect(await valkey.sh('vk-1', script)).toMatch(/^redis_up 1$/m);
  });

  it('gives settings to servers that run, and says which one a server refuses', async () => {
    const before = await cluster.podReady('vk-1');
    await valkey.set('SLOW_COMMAND_MS=25');
    expect(await valkey.inside('vk-1', 'CONFIG', 'GET', 'slowlog-log-slower-than')).toContain('25000');
    await expect(valkey.set('SETTINGS={"hz": "fast"}')).rejects.toThrow('settings.give');
    expect(await valkey.messages('settings')).toContain('pod vk-0: hz: ERR CONFIG SET failed');
    await valkey.set('SETTINGS={"hz": "20"}');
    expect((await cluster.podReady('vk-1')).metadata.uid).toBe(before.metadata.uid);
  });

  it('encrypts backups, refuses them with another key, and restores them in a new instance after the former one was deleted', async () => {
    const name = await valkey.backUp();
    await valkey.inside('vk-0', 'DEL', 'color');
    await cluster.api.patch({ ...SECRETS, namespace: 'default', name: 'key' }, 'merge', {
      data: { password: Buffer.from('another').toString('base64') },
    });
    await expect(valkey.set(`RESTORE_FROM=${name}`)).rejects.toThrow('restore.load.load');
    expect(await valkey.messages('load')).toContain('Secret key is not the key that it was written with');
    await cluster.api.patch({ ...SECRETS, namespace: 'default', name: 'key' }, 'merge', {
      data: { password: Buffer.from('of the backups').toString('base64') },
    });
    await cluster.bravo('uninstall', '--instance', 'vk', '--wait');
    const claim = { ...CLAIMS, namespace: 'default', name: 'data-vk-0' };
    await cluster.until(async () => expect(await cluster.api.get(claim)).toBeUndefined());
    await cluster.bravo(...INSTALL);
    await valkey.plan('restore');
    expect(await valkey.inside('vk-0', 'GET', 'color')).toBe('green');
  });
});

/** A pod that only waits, with the certificate of the instance's authority. */
async function startClient(cluster: RealCluster): Promise<void> {
  const container = {
    name: 'client',
    image: IMAGE,
    command: ['sh', '-c', 'trap "exit 0" TERM; sleep 100000 & wait'],
    volumeMounts: [{ name: 'tls', mountPath: '/tls' }],
  };
  const volumes = [{ name: 'tls', secret: { secretName: 'vk-tls', items: [{ key: 'ca.crt', path: 'ca.crt' }] } }];
  await cluster.startPod('client', { containers: [container], volumes });
}
