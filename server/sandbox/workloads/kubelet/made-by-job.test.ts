import { describe, expect, it } from 'vitest';
import { type JsonValue, stringAt } from '@/lib/json/json';
import { resources } from '../core/resources';
import { TestCluster } from '../test-cluster';

type Spec = { [key: string]: JsonValue };

const roles = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'roles' };
const bindings = { ...roles, resource: 'rolebindings' };

/** A cluster with the account `maker` that may create Secrets, and a Job under it that has ended well. */
async function withJob(container: Spec, { account = 'maker', rights = ['secrets'], more = {} as Spec } = {}) {
  const cluster = new TestCluster();
  const metadata = { name: 'maker', namespace: 'demo' };
  cluster.create(resources.serviceaccounts, { metadata });
  cluster.create(roles, { metadata, rules: [{ apiGroups: [''], resources: rights, verbs: ['create', 'get'] }] });
  cluster.create(bindings, {
    metadata,
    roleRef: { apiGroup: roles.group, kind: 'Role', name: 'maker' },
    subjects: [{ kind: 'ServiceAccount', name: 'maker', namespace: 'demo' }],
  });
  cluster.create(resources.configmaps, {
    metadata: { name: 'scripts', namespace: 'demo' },
    data: { 'make.sh': 'kubectl create secret generic certs --from-literal=a=b\n' },
  });
  const template = {
    restartPolicy: 'Never',
    serviceAccountName: account,
    containers: [{ name: 'c', image: 'tool', ...container }],
    ...more,
  };
  cluster.create(resources.jobs, {
    metadata: { name: 'make', namespace: 'demo' },
    spec: { template: { spec: template } },
  });
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
const gencerts = { command: ['/usr/bin/gencerts'] };
const scripted = { volumes: [{ name: 's', configMap: { name: 'scripts' } }] };

describe('a missing Secret', () => {
  it.each<[string, Spec, Parameters<typeof withJob>[1], Spec]>([
    ['its program is told the name', { args: ['--secret-name=certs'] }, {}, mounting],
    ['its environment tells the name', { ...gencerts, env: [{ name: 'TO', value: 'certs' }] }, {}, mounting],
    ['its script calls kubectl', { command: ['sh', '-c', 'kubectl create secret generic certs'] }, {}, mounting],
    ['a script that it mounts calls kubectl', { command: ['sh', '/s/make.sh'] }, { more: scripted }, mounting],
    ['the pod runs under its account', gencerts, {}, { ...mounting, serviceAccountName: 'maker' }],
  ])('is taken as made when a Job that may make it has ended well and %s', async (_what, container, job, pod) => {
    const cluster = await withJob(container, job);
    expect(await phaseOf(cluster, pod)).toBe('Running');
  });

  it('that a Job has made is an empty value in the environment', async () => {
    const cluster = await withJob({ args: ['--secret-name=certs'] });
    const env = [{ name: 'A', valueFrom: { secretKeyRef: { name: 'certs', key: 'a' } } }];
    const containers = [{ name: 'app', image: 'nginx', env, envFrom: [{ secretRef: { name: 'certs' } }] }];
    expect(await phaseOf(cluster, { containers })).toBe('Running');
  });

  it.each<[string, Spec, Parameters<typeof withJob>[1], Spec]>([
    ['the Job has nothing to do with it', gencerts, {}, mounting],
    ['the name is only a part of what the Job names', { args: ['--secret-name=certs-2'] }, {}, mounting],
    ['the account may not create Secrets', { args: ['certs'] }, { rights: ['configmaps'] }, mounting],
    ['the account has no rights', { args: ['certs'] }, { account: 'default' }, mounting],
    ['the sandbox has run the program, which made none', { command: ['echo', 'certs'] }, {}, mounting],
  ])('is waited for when %s', async (_what, container, job, pod) => {
    const cluster = await withJob(container, job);
    expect(await phaseOf(cluster, pod)).toBe('Pending');
    expect(cluster.reasons('web')).toContain('FailedMount');
  });

  it('is waited for as long as the Job has not ended', async () => {
    const cluster = await withJob({ args: ['--secret-name=certs'] }, { more: { nodeSelector: { zone: 'mars' } } });
    expect(await phaseOf(cluster, mounting)).toBe('Pending');
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
