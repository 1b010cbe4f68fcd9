import { describe, expect, it } from 'vitest';
import { type JsonValue, stringAt } from '@/lib/json/json';
import { TestCluster } from '../../testing/test-cluster';
import { resources } from '../core/resources';

type Spec = { [key: string]: JsonValue };

/** A cluster with a completed Job under the account `maker`. */
async function withJob(command: string[]): Promise<TestCluster> {
  const cluster = new TestCluster();
  cluster.create(resources.serviceaccounts, { metadata: { name: 'maker', namespace: 'demo' } });
  const containers = [{ name: 'c', image: 'tool', command }];
  const template = { spec: { restartPolicy: 'Never', serviceAccountName: 'maker', containers } };
  cluster.create(resources.jobs, { metadata: { name: 'make', namespace: 'demo' }, spec: { template } });
  await cluster.advance(5000);
  return cluster;
}

async function phaseOf(cluster: TestCluster, spec: Spec): Promise<string | undefined> {
  cluster.create(resources.pods, {
    metadata: { name: 'web', namespace: 'demo' },
    spec: { containers: [{ name: 'app', image: 'nginx' }], ...spec },
  });
  await cluster.settle();
  return stringAt(cluster.get(resources.pods, 'web'), 'status', 'phase');
}

const mounting: Spec = { volumes: [{ name: 'v', secret: { secretName: 'certs' } }] };

describe('a missing Secret', () => {
  it.each<[string, string[], Spec, string]>([
    ['counts as created by a Job of the same account', ['gencerts'], { serviceAccountName: 'maker' }, 'Running'],
    ['is waited for under another account', ['gencerts'], {}, 'Pending'],
    ['is waited for when the Job ran no program of its image', ['true'], { serviceAccountName: 'maker' }, 'Pending'],
  ])('%s', async (_what, command, more, phase) => {
    expect(await phaseOf(await withJob(command), { ...mounting, ...more })).toBe(phase);
  });
});

describe('a key that is missing', () => {
  it.each([
    ['configMap', 'references non-existent config key: b'],
    ['secret', 'references non-existent secret key: b'],
  ])('of a %s is waited for, unless it is optional', async (kind, text) => {
    const cluster = new TestCluster();
    cluster.create(resources.configmaps, { metadata: { name: 'x', namespace: 'demo' }, data: { a: '1' } });
    cluster.create(resources.secrets, { metadata: { name: 'x', namespace: 'demo' }, stringData: { a: '1' } });
    const source = { [kind === 'secret' ? 'secretName' : 'name']: 'x', items: [{ key: 'b', path: 'b' }] };
    expect(await phaseOf(cluster, { volumes: [{ name: 'v', [kind]: source }] })).toBe('Pending');
    const messages = cluster.list(resources.events).map(({ message }) => message);
    expect(messages).toContain(`MountVolume.SetUp failed for volume "v" : ${text}`);
    cluster.delete(resources.pods, 'web');
    await cluster.settle();
    const optional = { volumes: [{ name: 'v', [kind]: { ...source, optional: true } }] };
    expect(await phaseOf(cluster, optional)).toBe('Running');
  });
});
