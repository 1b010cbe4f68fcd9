import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { type RealCluster, startRealCluster } from '@/test/node/real-cluster';
import { Etcd } from './etcd-fixture';

const SERVICE = 'https://etcd.default.svc:2379';
const PASSWORDS = ['first-hidden-word', 'second-hidden-word'] as const;

/** TLS between members and to clients, and a password of root that changes. */
describe('etcd with TLS and a password', () => {
  let cluster: RealCluster;
  let rows: string;
  let backup: string;

  /** The instance as a client sees it that trusts the authority, and logs in as root. */
  const client = (login: string) => new Etcd(cluster, { service: SERVICE, login });
  const anybody = () => client('export ETCDCTL_CACERT=/tls/ca.crt');
  const root = (password: string) =>
    client(`export ETCDCTL_CACERT=/tls/ca.crt ETCDCTL_USER=root ETCDCTL_PASSWORD=${password}`);
  const read = (password: string) => root(password).rows();
  const pods = async () => (await cluster.pods('etcd')).map((pod) => pod.metadata.uid).sort();
  const expectHealthy = (votes: string) =>
    cluster.until(async () =>
      expect(await cluster.health('etcd')).toEqual([`Passing: ${votes}`, expect.stringContaining('Passing: ')]),
    );

  beforeAll(async () => {
    cluster = await startRealCluster();
    await Etcd.install(cluster, '1.0.0', 'tls=generated', `password=${PASSWORDS[0]}`);
    for (const n of [1, 2, 3]) await root(PASSWORDS[0]).etcdctl(`put row${n} value${n}`);
    rows = await read(PASSWORDS[0]);
    backup = await anybody().backUp();
  });
  afterAll(() => cluster?.stop());

  it('answers only over TLS, and only with the password', async () => {
    expect(rows).toMatch(/^6\n/);
    await expect(anybody().etcdctl('get row1', 'http://etcd:2379')).rejects.toThrow();
    await expect(anybody().etcdctl('get row1')).rejects.toThrow('user name is empty');
    await expect(root('wrong').etcdctl('get row1')).rejects.toThrow('invalid user ID or password');
    expect(await cluster.secret('etcd-connection', 'uri')).toBe(SERVICE);
  });

  it('has health checks that need no password', () => expectHealthy('3 of 3 members vote'));

  it('refuses the former password and accepts the new one, and no member restarts', async () => {
    const before = await pods();
    await anybody().update(`password=${PASSWORDS[1]}`);
    await expect(root(PASSWORDS[0]).etcdctl('get row1')).rejects.toThrow('invalid user ID or password');
    expect(await read(PASSWORDS[1])).toBe(rows);
    expect(await pods()).toEqual(before);
    expect(await cluster.secret('etcd-connection', 'password')).toBe(PASSWORDS[1]);
  });

  it('refuses a backup in which root has another password, and is unchanged', async () => {
    await expect(anybody().update(`restore_from=${backup}`)).rejects.toThrow('etcd-load');
    expect(await cluster.jobMessage('etcd-load')).toContain(`"${backup}" was made before a change of the password`);
    expect(await read(PASSWORDS[1])).toBe(rows);
  });

  it('takes back a member whose volume was lost', async () => {
    await cluster.loseVolume('etcd-2');
    expect(await root(PASSWORDS[1]).etcdctl('member list')).toMatch(/etcd-2, https:.*, false\n/);
    await expectHealthy('3 of 3 members vote');
  });

  it('shrinks to one member, comes back from a backup with its password, and can do without one', async () => {
    await anybody().update('size=1');
    await anybody().backUp();
    await root(PASSWORDS[1]).deleteRows();
    await anybody().update('restore_from=latest');
    expect(await read(PASSWORDS[1])).toBe(rows);
    await expectHealthy('1 of 1 members vote');
    // The command line refuses empty values.
    const instance = { ...INSTANCES, namespace: 'default', name: 'etcd' };
    await cluster.api.patch(instance, 'merge', { spec: { parameters: { password: '' } } });
    await cluster.until(async () => expect(await anybody().rows()).toBe(rows));
  });

  it('shows no password in a log, a pod, a status or an event', async () => {
    const text = await cluster.everythingShown();
    for (const hidden of PASSWORDS) expect(text).not.toContain(hidden);
  });
});
