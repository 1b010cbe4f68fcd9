import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PODS } from '@/test/node/resources';
import { Rabbitmq } from './rabbitmq/rabbitmq';

/** The bundled operator through changes of its cluster, on real nodes. */
describe('rabbitmq', () => {
  let mq: Rabbitmq;
  let before = '';

  /** The queue has all that was confirmed while the steps ran. */
  const losesNothing = async (queue: string, name: string, steps: () => Promise<unknown>) => {
    const { written, longest } = await mq.whileWriting(queue, name, steps);
    const [found, highest] = (await mq.client('ids', queue)).split(' ').map(Number);
    expect([found, highest]).toEqual([written, written]);
    return longest;
  };

  beforeAll(async () => {
    mq = await Rabbitmq.start('PASSWORD=first');
    await mq.client('publish', 'orders', 10_000);
    before = await mq.client('read', 'orders');
  });
  afterAll(() => mq?.stop());

  it('has 10,000 messages on three nodes, and says that it is healthy', async () => {
    expect(before).toMatch(/^10000 [0-9a-f]{64}$/);
    expect(await mq.replicas('orders')).toEqual([0, 1, 2]);
    const healthy = ['3 of 3 nodes run', 'quorum queues have a majority', 'no alarm'];
    await mq.cluster.until(async () => {
      const status = await mq.cluster.bravo('plan', 'status', '--instance', 'mq');
      for (const text of healthy) expect(status).toContain(text);
    });
  });

  it('keeps them when a node is killed, and when a node loses its volume, while a client writes', async () => {
    const longest = await losesNothing('killed', 'a pod killed', async () => {
      const pod = await mq.cluster.podReady('mq-2');
      await mq.cluster.api.delete({ ...PODS, namespace: 'default', name: 'mq-2' }, { gracePeriodSeconds: 0 });
      await mq.cluster.podReady('mq-2', pod.metadata.uid);
    });
    expect(longest).toBeLessThan(15);
    await losesNothing('lost', 'a volume lost', () => mq.loseVolume(1));
    expect(await mq.members()).toEqual([0, 1, 2]);
    expect(await mq.replicas('orders')).toEqual([0, 1, 2]);
    expect(await mq.cluster.log('mq-1')).toContain('this node has lost its data: it leaves and joins again');
    expect(await mq.client('read', 'orders')).toBe(before);
  });

  it('has them after a resize to five nodes and back to three while a client writes', async () => {
    await losesNothing('resized', 'resize 3 → 5 → 3', async () => {
      await mq.update('REPLICAS=5');
      expect(await mq.members()).toEqual([0, 1, 2, 3, 4]);
      await mq.update('REPLICAS=3');
    });
    expect(await mq.members()).toEqual([0, 1, 2]);
    expect(await mq.replicas('orders')).toEqual([0, 1, 2]);
    expect(await mq.client('read', 'orders')).toBe(before);
  });

  it('accepts a new password and refuses the old one', async () => {
    const old = await mq.connection('uri');
    await mq.update('PASSWORD=second');
    expect(await mq.client('check', '-')).toBe('ok');
    await expect(mq.client('check', '-', 0, old)).rejects.toThrow('ACCESS_REFUSED');
    for (const number of [0, 1, 2]) expect(await mq.cluster.log(`mq-${number}`)).not.toMatch(/first|second/);
  });

  it('is upgraded node by node while a client writes and the controller is killed in each step', async () => {
    const longest = await losesNothing('upgraded', 'upgrade', async () => {
      const killed = await mq.killingIn('upgrade', 'upgrade', 'operators/rabbitmq/1.1.0');
      expect(killed).toEqual(expect.arrayContaining(['backup.run', 'cluster.nodes', 'balance.run']));
    });
    expect(longest).toBeLessThan(15);
    expect(await mq.members()).toEqual([0, 1, 2]);
    expect(await mq.messageOf('backup')).toContain('"type":"backup"');
    expect(await mq.client('read', 'orders')).toBe(before);
  });

  it('keeps the cookie of its nodes when plan deploy runs again', async () => {
    const cookie = () => mq.cluster.exec('mq-0', 'sh', '-c', 'sha256sum </run/cookie/cookie');
    const first = await cookie();
    await mq.plan('deploy');
    expect(await cookie()).toBe(first);
    expect(await mq.members()).toEqual([0, 1, 2]);
  });

  it('has its messages on one node after a resize from three', async () => {
    await mq.update('REPLICAS=1');
    expect(await mq.members()).toEqual([0]);
    expect(await mq.replicas('orders')).toEqual([0]);
    expect(await mq.client('read', 'orders')).toBe(before);
  });

  it('takes clients only with TLS once it is on', async () => {
    const plain = await mq.connection('uri');
    await mq.update('TLS=generated');
    await mq.sh(`echo '${await mq.secretOf('mq-tls', 'ca.crt')}' > /tmp/ca.crt`);
    expect(await mq.connection('uri')).toMatch(/^amqps:.*:5671\/%2F$/);
    expect(await mq.client('check', '-')).toBe('ok');
    await expect(mq.client('check', '-', 0, plain)).rejects.toThrow('AMQPConnectionError');
  });
});
