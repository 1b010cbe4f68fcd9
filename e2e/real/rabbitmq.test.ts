import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PODS } from '@/test/node/resources';
import { Rabbitmq } from './rabbitmq/rabbitmq';

/** The bundled operator through changes of its cluster, on real nodes. */
describe('rabbitmq', () => {
  let mq: Rabbitmq;
  let before = '';

  /** Runs the steps while a client publishes with confirmations; resolves with what the client says, and proves that nothing was lost. */
  const whileWriting = async (queue: string, steps: () => Promise<unknown>) => {
    await mq.sh('rm -f /tmp/stop /tmp/writing');
    const writing = mq.client('write', queue);
    await mq.cluster.until(() => mq.sh('test -e /tmp/writing'));
    await steps().finally(() => mq.sh('touch /tmp/stop'));
    const { written, longest } = JSON.parse(await writing) as { written: number; longest: number };
    const [found, highest] = (await mq.client('ids', queue)).split(' ').map(Number);
    expect([found, highest]).toEqual([written, written]);
    return longest;
  };

  beforeAll(async () => {
    mq = await Rabbitmq.start('REPLICAS=1', 'PASSWORD=first');
    await mq.client('publish', 'orders', 10_000);
    before = await mq.client('read', 'orders');
  });
  afterAll(() => mq?.stop());

  it('has its messages on three nodes after a resize from one', async () => {
    await mq.update('REPLICAS=3');
    expect(await mq.members()).toEqual([0, 1, 2]);
    expect(await mq.replicas('orders')).toEqual([0, 1, 2]);
    expect(await mq.client('read', 'orders')).toBe(before);
  });

  it('keeps them when a node is killed, and when a node loses its volume', async () => {
    const pod = await mq.cluster.podReady('mq-2');
    await mq.cluster.api.delete({ ...PODS, namespace: 'default', name: 'mq-2' }, { gracePeriodSeconds: 0 });
    await mq.cluster.podReady('mq-2', pod.metadata.uid);
    await mq.loseVolume(1);
    expect(await mq.members()).toEqual([0, 1, 2]);
    expect(await mq.replicas('orders')).toEqual([0, 1, 2]);
    expect(await mq.cluster.log('mq-1')).toContain('this node has lost its data: it leaves and joins again');
    expect(await mq.client('read', 'orders')).toBe(before);
  });

  it('accepts a new password and refuses the old one', async () => {
    const old = await mq.connection('uri');
    await mq.update('PASSWORD=second');
    expect(await mq.client('check', '-')).toBe('ok');
    await expect(mq.client('check', '-', 0, old)).rejects.toThrow('ACCESS_REFUSED');
    for (const number of [0, 1, 2]) expect(await mq.cluster.log(`mq-${number}`)).not.toMatch(/first|second/);
  });

  it('is upgraded node by node while a client writes and the controller is killed', async () => {
    await mq.rememberJobs();
    const longest = await whileWriting('upgraded', async () => {
      const upgrade = mq.cluster.bravo('upgrade', 'operators/rabbitmq/1.1.0', '--instance', 'mq', '--wait');
      await mq.killControllerIn('backup', 'balance');
      await upgrade;
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
    expect(await mq.connection('uri')).toMatch(/^amqps:.*:5671\/%2F$/);
    expect(await mq.client('check', '-')).toBe('ok');
    await expect(mq.client('check', '-', 0, plain)).rejects.toThrow('AMQPConnectionError');
  });
});
