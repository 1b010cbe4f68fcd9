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
