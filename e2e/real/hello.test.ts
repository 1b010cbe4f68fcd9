import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RealCluster, startRealCluster } from '@/test/node/real-cluster';
import { PODS } from '@/test/node/resources';

/** The bundled operator as real processes: a pipe task, a Deployment, a Service. */
describe('hello', () => {
  let cluster: RealCluster;
  const page = () => cluster.exec('client', 'wget', '-q', '-T', '2', '-O', '-', 'http://hello/');

  beforeAll(async () => {
    // This node has no image without a tag, as a node without a registry: the pod of the pipe needs one with a tag.
    cluster = await startRealCluster();
    await cluster.client('client', 'busybox:1.37.0');
    await cluster.bravo(
      'install',
      'operators/hello/1.0.0',
      '--instance',
      'hello',
      '-p',
      'GREETING=Good morning',
      '--wait',
    );
  });
  afterAll(() => cluster?.stop());

  it('answers HTTP through its Service', async () => {
    expect(await page()).toContain('<h1>Good morning</h1>');
  });

  it('shows another greeting after an update', async () => {
    await cluster.bravo('update', '--instance', 'hello', '-p', 'GREETING=Good night', '--wait');
    await cluster.until(async () => expect(await page()).toContain('<h1>Good night</h1>'));
  });

  it('answers again after a pod was killed', async () => {
    const pods = await cluster.api.list(
      { ...PODS, namespace: 'default' },
      { labelSelector: 'app.kubernetes.io/name=hello' },
    );
    for (const { metadata } of pods.items) {
      await cluster.api.delete({ ...PODS, namespace: 'default', name: metadata.name }, { gracePeriodSeconds: 1 });
    }
    expect(await cluster.until(page)).toContain('<h1>Good night</h1>');
  });
});
