import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { type RealCluster, startRealCluster } from '@/test/node/real-cluster';
import { CLAIMS, EVENTS, PODS } from '@/test/node/resources';

const SERVICE = 'https://etcd.default.svc:2379';
const PASSWORDS = ['first-hidden-word', 'second-hidden-word'] as const;

/** TLS between members and to clients, and a password of root that changes. */
describe('etcd with TLS and a password', () => {
  let cluster: RealCluster;
  let rows: string;
  let backup: string;

  const shell = (script: string) => cluster.exec('etcd-0', '/tools/busybox', 'sh', '-c', script);
  /** Runs etcdctl over TLS, as root with the password. */
  const etcdctl = (password: string, words: string) =>
    shell(
      `ETCDCTL_CACERT=/tls/ca.crt ETCDCTL_USER=root ETCDCTL_PASSWORD=${password} etcdctl --endpoints ${SERVICE} ${words}`,
    );
  const read = (password: string) => etcdctl(password, 'get row --prefix');
  const plan = (name: string) =>
    cluster.bravo('plan', 'trigger', '--name', name, '--instance', 'etcd', '--wait', ...confirmed(name));
  const update = (parameter: string) =>
    cluster.bravo('update', '--instance', 'etcd', '--wait', '-p', parameter, ...confirmed(parameter));
  const pods = async () => {
    const { items } = await cluster.api.list(
      { ...PODS, namespace: 'default' },
      { labelSelector: 'app.kubernetes.io/name=etcd' },
    );
    return items.map((pod) => pod.metadata.uid).sort();
  };

  beforeAll(async () => {
    cluster = await startRealCluster();
    const parameters = ['tls=generated', `password=${PASSWORDS[0]}`].flatMap((each) => ['-p', each]);
    await cluster.bravo('install', 'operators/etcd/1.0.0', '--instance', 'etcd', '--wait', ...parameters);
    for (const n of [1, 2, 3]) await etcdctl(PASSWORDS[0], `put row${n} value${n}`);
    rows = await read(PASSWORDS[0]);
    await plan('backup');
    [, backup = ''] = /"name":"([^"]+)"/.exec(await cluster.jobMessage('etcd-backup')) ?? [];
  });
  afterAll(() => cluster?.stop());

  it('answers only over TLS, and only with the password', async () => {
    expect(rows.split('\n')).toHaveLength(7);
    await expect(shell(`etcdctl --endpoints http://etcd:2379 get row1`)).rejects.toThrow();
    await expect(shell(`ETCDCTL_CACERT=/tls/ca.crt etcdctl --endpoints ${SERVICE} get row1`)).rejects.toThrow(
      'user name is empty',
    );
    await expect(read('wrong')).rejects.toThrow('invalid user ID or password');
  });

  it('refuses the former password and accepts the new one, and no member restarts', async () => {
    const before = await pods();
    await update(`password=${PASSWORDS[1]}`);
    await expect(read(PASSWORDS[0])).rejects.toThrow('invalid user ID or password');
    expect(await read(PASSWORDS[1])).toBe(rows);
    expect(await pods()).toEqual(before);
    const connection = await cluster.exec('etcd-0', '/tools/busybox', 'sh', '-c', 'cat /auth/password || true');
    expect(PASSWORDS).toContain(connection);
  });

  it('refuses a backup in which root has another password, and is unchanged', async () => {
    await expect(update(`restore_from=${backup}`)).rejects.toThrow('etcd-load');
    expect(await cluster.jobMessage('etcd-load')).toContain(`"${backup}" was made before a change of the password`);
    expect(await read(PASSWORDS[1])).toBe(rows);
  });

  it('takes back a member whose volume was lost', async () => {
    const before = await cluster.podReady('etcd-2');
    await cluster.api.delete({ ...CLAIMS, namespace: 'default', name: 'data-etcd-2' });
    await cluster.api.delete({ ...PODS, namespace: 'default', name: 'etcd-2' });
    await cluster.podReady('etcd-2', before.metadata.uid);
    expect(await etcdctl(PASSWORDS[1], 'member list')).toMatch(/etcd-2, https:.*, false\n/);
  });

  it('shrinks to one member, comes back from a backup with its password, and can do without one', async () => {
    await update('size=1');
    await plan('backup');
    await etcdctl(PASSWORDS[1], 'del row --prefix');
    await update('restore_from=latest');
    expect(await read(PASSWORDS[1])).toBe(rows);
    // The command line refuses empty values.
    const instance = { ...INSTANCES, namespace: 'default', name: 'etcd' };
    await cluster.api.patch(instance, 'merge', { spec: { parameters: { password: '' } } });
    await cluster.until(async () => {
      const open = await shell(`ETCDCTL_CACERT=/tls/ca.crt etcdctl --endpoints ${SERVICE} get row --prefix`);
      expect(open).toBe(rows);
    });
  });

  it('shows no password in a log, a pod, a status or an event', async () => {
    const namespace = 'default';
    const { items } = await cluster.api.list({ ...PODS, namespace });
    const logs = await Promise.all(items.map((pod) => cluster.log(pod.metadata.name ?? '').catch(() => '')));
    const events = await cluster.api.list({ ...EVENTS, namespace });
    const { items: instances } = await cluster.api.list({ ...INSTANCES, namespace });
    const text = JSON.stringify([logs, items, events, instances.map(({ status }) => status)]);
    for (const hidden of PASSWORDS) expect(text).not.toContain(hidden);
  });
});

/** A restore replaces data: it starts only when it was confirmed. */
function confirmed(planOrParameter: string): readonly string[] {
  return planOrParameter.startsWith('restore') ? ['--confirm', 'restore/etcd'] : [];
}
