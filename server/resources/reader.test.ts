import { expect, it } from 'vitest';
import { scriptedApi, statusBody } from '@/server/kube/test-api';
import { resourceReader } from './reader';

const kinds = ['pods', 'nodes', 'secrets'].map((name) => ({
  name,
  singularName: '',
  namespaced: name !== 'nodes',
  kind: name,
  verbs: ['list'],
}));

/** As a Kubernetes before 1.21 answers: a list of metadata alone leaves out how many there are beside what is shown. */
function listOf(accept: string, items: object[], remainingItemCount: number): object {
  if (accept.includes('as=PartialObjectMetadataList'))
    return { kind: 'PartialObjectMetadataList', metadata: {}, items };
  return accept.includes('as=Table')
    ? { kind: 'Table', metadata: { remainingItemCount }, columnDefinitions: [], rows: items }
    : { kind: 'List', metadata: { remainingItemCount }, items };
}

function reader(tables: boolean) {
  const { api, clock } = scriptedApi(({ path, headers }) => {
    const accept = tables ? String(headers?.accept) : 'application/json';
    if (path === '/api') return { body: { kind: 'APIVersions', versions: ['v1'] } };
    if (path === '/apis') return { body: { kind: 'APIGroupList', groups: [] } };
    if (path === '/api/v1') return { body: { kind: 'APIResourceList', resources: kinds } };
    if (path.startsWith('/api/v1/pods')) return { body: listOf(accept, [{}], 68) };
    if (path.startsWith('/api/v1/nodes')) return { body: listOf(accept, [], 0) };
    return { status: 403, body: statusBody(403, 'Forbidden') };
  });
  return resourceReader(api, clock);
}

it('counts all objects of a kind where lists of metadata do not say how many there are', async () => {
  expect(await reader(true).counts(undefined)).toEqual({ pods: 69, nodes: 0 });
});

it('counts objects of an API that knows no tables', async () => {
  expect(await reader(false).counts(undefined)).toEqual({ pods: 69, nodes: 0 });
});

it('finds the custom kinds that have an object with a label, or below an owner, through others too', async () => {
  const names = ['certs', 'orders', 'labels', 'strangers', 'secrets'];
  const owned = (uid: string, owner: string) => ({ metadata: { uid, ownerReferences: [{ uid: owner }] } });
  const items: { readonly [resource: string]: object[] } = {
    certs: [owned('cert', 'root')],
    orders: [owned('order', 'cert')],
    labels: [{ metadata: { uid: 'other', labels: { instance: 'db' } } }],
    strangers: [owned('stranger', 'somebody')],
  };
  const { api, clock } = scriptedApi(({ path }) => {
    const resources = names.map((name) => ({ name, namespaced: true, kind: name, verbs: ['list'] }));
    if (path === '/api') return { body: { kind: 'APIVersions', versions: [] } };
    if (path === '/apis') {
      const versions = [{ groupVersion: 'x.io/v1', version: 'v1' }];
      return { body: { kind: 'APIGroupList', groups: [{ name: 'x.io', versions }] } };
    }
    if (path === '/apis/x.io/v1') return { body: { kind: 'APIResourceList', resources } };
    if (path.includes('customresourcedefinitions'))
      return { body: { items: names.map((name) => ({ metadata: { name: `${name}.x.io` } })) } };
    const [, resource = ''] = /namespaces\/demo\/(\w+)\?limit=500$/.exec(path) ?? [];
    const found = items[resource];
    return found === undefined ? { status: 403, body: statusBody(403, 'Forbidden') } : { body: { items: found } };
  });
  const label = { name: 'instance', value: 'db' };
  const { found, leftOut } = await resourceReader(api, clock).customKinds('demo', { label, owners: ['root'] });
  expect(found.map(({ resource }) => resource).sort()).toEqual(['certs', 'labels', 'orders']);
  expect(leftOut).toBe(0);
});

it('reads the names of all kinds that the person may list, and says of which ones only a part', async () => {
  const { api, clock } = scriptedApi(({ path }) => {
    const item = (name: string, namespace?: string) => ({ metadata: { name, namespace } });
    if (path === '/api') return { body: { kind: 'APIVersions', versions: ['v1'] } };
    if (path === '/apis') return { body: { kind: 'APIGroupList', groups: [] } };
    const events = { name: 'events', singularName: '', namespaced: true, kind: 'Event', verbs: ['list'] };
    if (path === '/api/v1') return { body: { kind: 'APIResourceList', resources: [...kinds, events] } };
    if (path.startsWith('/api/v1/namespaces/demo/pods'))
      return { body: { metadata: { continue: 'next' }, items: [item('web', 'demo')] } };
    if (path.startsWith('/api/v1/nodes')) return { body: { metadata: {}, items: [item('node-1')] } };
    return { status: 403, body: statusBody(403, 'Forbidden') };
  });
  const { objects, more } = await resourceReader(api, clock).names('demo');
  const core = { group: '', version: 'v1' };
  expect([...objects].sort((a, b) => a.name.localeCompare(b.name))).toEqual([
    { ...core, resource: 'nodes', kind: 'nodes', namespace: '', name: 'node-1' },
    { ...core, resource: 'pods', kind: 'pods', namespace: 'demo', name: 'web' },
  ]);
  expect(more).toEqual(['pods']);
});

it('names the groups that could not be read with the reason of their APIService, and keeps the kinds of all others', async () => {
  const { api, clock } = scriptedApi(({ path }) => {
    if (path === '/api') return { body: { kind: 'APIVersions', versions: ['v1'] } };
    if (path === '/apis') {
      const groups = ['metrics.k8s.io', 'secret.example.com'].map((name) => ({ name, versions: [{ version: 'v1' }] }));
      return { body: { kind: 'APIGroupList', groups } };
    }
    if (path === '/api/v1') return { body: { kind: 'APIResourceList', resources: kinds } };
    if (path === '/apis/apiregistration.k8s.io/v1/apiservices/v1.metrics.k8s.io') {
      const condition = { type: 'Available', status: 'False', reason: 'MissingEndpoints', message: 'no addresses' };
      const spec = { service: { namespace: 'kube-system', name: 'metrics-server' } };
      const metadata = { name: 'v1.metrics.k8s.io' };
      const kind = { apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService' };
      return { body: { ...kind, metadata, spec, status: { conditions: [condition] } } };
    }
    if (path.includes('apiservices')) return { status: 403, body: statusBody(403, 'Forbidden') };
    return { status: 503, body: statusBody(503, 'ServiceUnavailable') };
  });
  const served = await resourceReader(api, clock).served();
  expect(served.kinds.map(({ kind }) => kind)).toEqual(['nodes', 'pods', 'secrets']);
  expect(served.unavailable).toMatchObject([
    { group: 'metrics.k8s.io', version: 'v1', apiService: 'v1.metrics.k8s.io', reason: 'MissingEndpoints' },
    { group: 'secret.example.com', version: 'v1', apiService: undefined, reason: '' },
  ]);
  expect(await resourceReader(api, clock).kinds()).toHaveLength(3);
});
