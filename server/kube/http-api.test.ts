import { describe, expect, it } from 'vitest';
import { BlockedError, ConflictError, TerminalError, TransientError } from '@/lib/errors/errors';
import type { ListedPage } from './api';
import { codeOf, kubeErrorOf } from './errors';
import { brokenBody, scriptedApi, statusBody } from './test-api';

const pods = { group: '', version: 'v1', resource: 'pods', namespace: 'n' };
const pod = (name: string) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name } });

describe('the Api over HTTP', () => {
  it('returns undefined for an object that does not exist', async () => {
    const { api } = scriptedApi(() => ({ status: 404, body: statusBody(404, 'NotFound') }));
    expect(await api.get({ ...pods, name: 'a' })).toBeUndefined();
  });

  it.each([
    [409, 'AlreadyExists', ConflictError],
    [409, 'Conflict', ConflictError],
    [410, 'Expired', ConflictError],
    [401, 'Unauthorized', TransientError],
    [429, 'TooManyRequests', TransientError],
    [500, 'InternalError', TransientError],
    [503, 'ServiceUnavailable', TransientError],
    [504, 'Timeout', TransientError],
    [404, 'NotFound', BlockedError],
    [400, 'BadRequest', TerminalError],
    [403, 'Forbidden', TerminalError],
    [422, 'Invalid', TerminalError],
    [501, 'NotImplemented', TerminalError],
    [301, '', TerminalError],
  ])('A01-A08 A22 turns %i %s into one kind of error', async (status, reason, kind) => {
    const { api } = scriptedApi(() => ({ status, body: reason === '' ? '' : statusBody(status, reason, 'why') }));
    const error = await api.create(pods, pod('a')).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(kind);
    expect(codeOf(error)).toBe(status);
  });

  it('explains rejected credentials, where the API says only Unauthorized', async () => {
    const { api } = scriptedApi(() => ({ status: 401, body: statusBody(401, 'Unauthorized', 'Unauthorized') }));
    const error = await api.get({ ...pods, name: 'a' }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      reason: 'Unauthorized',
      message: expect.stringMatching(/does not accept these credentials .* Bravo reads them again/),
    });
  });

  it('keeps the causes of a Status', async () => {
    const details = {
      causes: [{ reason: 'FieldValueInvalid', message: 'bad', field: 'spec.x' }],
      retryAfterSeconds: 7,
    };
    const { api } = scriptedApi(() => ({ status: 429, body: statusBody(429, 'TooManyRequests', 'slow', details) }));
    const error = await api.create(pods, pod('a')).catch((thrown: unknown) => thrown);
    expect(kubeErrorOf(error)?.causes).toEqual([{ reason: 'FieldValueInvalid', message: 'bad', field: 'spec.x' }]);
    expect(error).toMatchObject({ retryAfterMs: 7_000 });
  });

  it('A06 cancels a call that hangs at its deadline', async () => {
    const { api, clock } = scriptedApi(() => ({ hang: true }));
    const call = api.get({ ...pods, name: 'a' }).catch((thrown: unknown) => thrown);
    await clock.advance(15_000);
    expect(await call).toMatchObject({ kind: 'transient', reason: 'Timeout' });
  });

  it('A05 treats an incomplete response as an unknown outcome', async () => {
    const { api } = scriptedApi(() => ({ body: '{"apiVersion":"v1","ki' }));
    expect(await api.create(pods, pod('a')).catch((thrown: unknown) => thrown)).toMatchObject({ kind: 'transient' });
  });

  it('A05 treats an incomplete refusal as an unknown outcome, because nobody knows what was refused', async () => {
    const { api } = scriptedApi(() => ({ status: 404, body: brokenBody() }));
    expect(await api.get({ ...pods, name: 'a' }).catch((thrown: unknown) => thrown)).toMatchObject({
      kind: 'transient',
      message: 'The Kubernetes API at https://test closed the connection.',
    });
  });

  it('says in one sentence that the server refuses connections', async () => {
    const { api } = scriptedApi(() => Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }));
    const error = await api.get({ ...pods, name: 'a' }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: 'The Kubernetes API at https://test refuses connections.' });
  });

  it('A20 reads a list page by page and adds the kind to its items', async () => {
    const { api, requests } = scriptedApi(({ path }) => {
      const last = path.includes('continue=');
      const metadata = last ? { resourceVersion: '9' } : { resourceVersion: '9', continue: 'more' };
      return {
        body: { kind: 'PodList', apiVersion: 'v1', metadata, items: [{ metadata: { name: last ? 'b' : 'a' } }] },
      };
    });
    const list = await api.list(pods, { labelSelector: 'x=y' });
    expect(list.items.map((item) => `${item.kind} ${item.metadata.name}`)).toEqual(['Pod a', 'Pod b']);
    expect(requests.map(({ path }) => path)).toEqual([
      '/api/v1/namespaces/n/pods?labelSelector=x%3Dy&limit=500',
      '/api/v1/namespaces/n/pods?labelSelector=x%3Dy&limit=500&continue=more',
    ]);
  });

  it('A09 reads a list again in one request when its continue token has expired', async () => {
    const { api } = scriptedApi(({ path }) => {
      if (path.includes('continue=')) return { status: 410, body: statusBody(410, 'Expired') };
      const items = path.includes('limit=') ? [] : [{ metadata: { name: 'all' } }];
      const token = path.includes('limit=') ? { continue: 'old' } : {};
      return { body: { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '9', ...token }, items } };
    });
    expect((await api.list(pods)).items.map((item) => item.metadata.name)).toEqual(['all']);
  });

  it('hands over each page as it arrives, and begins anew when the list is read again', async () => {
    const { api } = scriptedApi(({ path }) => {
      if (path.includes('continue=')) return { status: 410, body: statusBody(410, 'Expired') };
      const first = { resourceVersion: '9', continue: 'old', remainingItemCount: 7 };
      const metadata = path.includes('limit=') ? first : { resourceVersion: '9' };
      return { body: { kind: 'PodList', apiVersion: 'v1', metadata, items: [{ metadata: { name: 'a' } }] } };
    });
    const pages: ListedPage[] = [];
    const list = await api.list(pods, { onPage: (page) => pages.push(page) });
    expect(list.items).toEqual([]);
    expect(pages).toMatchObject([
      { items: [{ kind: 'Pod', metadata: { name: 'a' } }], isFirst: true, remaining: 7 },
      { items: [{ metadata: { name: 'a' } }], isFirst: true, remaining: undefined },
    ]);
  });

  it('A19 uses the result of discovery when one group fails', async () => {
    const { api } = scriptedApi(({ path }) => {
      if (path === '/api') return { body: { kind: 'APIVersions', versions: ['v1'] } };
      if (path === '/apis')
        return { body: { kind: 'APIGroupList', groups: [{ name: 'bad', versions: [{ version: 'v1' }] }] } };
      if (path === '/apis/bad/v1') return { status: 503, body: statusBody(503, 'ServiceUnavailable') };
      const resources = [
        { name: 'pods', kind: 'Pod', namespaced: true, verbs: ['get'] },
        { name: 'pods/log', kind: 'Pod' },
      ];
      return { body: { kind: 'APIResourceList', resources } };
    });
    const { resources, failed } = await api.discover();
    expect(resources).toMatchObject([{ resource: 'pods', kind: 'Pod', namespaced: true, subresources: ['log'] }]);
    expect(failed).toHaveLength(1);
  });
});
