import { describe, expect, it } from 'vitest';
import { parseRequest } from './request-info';

function read(method: string, target: string): unknown[] {
  const url = new URL(target, 'https://sandbox');
  const { verb, resource } = parseRequest(method, target.split('?')[0] ?? '', url.searchParams);
  return [verb, resource?.group, resource?.namespace, resource?.resource, resource?.name, resource?.subresource];
}

describe('what a request means', () => {
  it.each([
    ['GET', '/api/v1/namespaces/a/pods', ['list', '', 'a', 'pods', undefined, undefined]],
    ['GET', '/api/v1/namespaces/a/pods?watch=true', ['watch', '', 'a', 'pods', undefined, undefined]],
    ['GET', '/api/v1/namespaces/a/pods/x/log', ['get', '', 'a', 'pods', 'x', 'log']],
    ['GET', '/api/v1/namespaces/a', ['get', '', 'a', 'namespaces', 'a', undefined]],
    ['PUT', '/api/v1/namespaces/a/finalize', ['update', '', 'a', 'namespaces', 'a', 'finalize']],
    [
      'DELETE',
      '/apis/apps/v1/deployments',
      ['deletecollection', 'apps', undefined, 'deployments', undefined, undefined],
    ],
    ['GET', '/api/v1/watch/namespaces/a/pods/x', ['watch', '', 'a', 'pods', 'x', undefined]],
    ['GET', '/api/v1/namespaces//configmaps', ['list', '', undefined, 'configmaps', undefined, undefined]],
    ['GET', '/apis/apps', ['get', undefined, undefined, undefined, undefined, undefined]],
  ])('%s %s', (method, target, expected) => {
    expect(read(method, target)).toEqual(expected);
  });

  it('takes an encoded slash for a further segment, never for a part of a name', () => {
    expect(read('GET', '/api/v1/namespaces/a/configmaps/x%2Fy')).toEqual(['get', '', 'a', 'configmaps', 'x', 'y']);
  });

  it('marks an empty name in the middle as malformed', () => {
    const { resource } = parseRequest('GET', '/api/v1/namespaces/a/configmaps//x', new URLSearchParams());
    expect(resource?.malformed).toBe(true);
  });
});
