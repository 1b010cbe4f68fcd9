import { describe, expect, it } from 'vitest';
import { dropInternalHeaders, isBelow, isPlainTarget, takeCluster } from './request-target';

describe('isPlainTarget', () => {
  it.each(['/', '/instances/demo/a?x=%zz', '/api/kube/api/v1/pods/%C3%A4', '/a/../b'])('takes %s', (target) => {
    expect(isPlainTarget(target)).toBe(true);
  });

  it.each([undefined, '', '*', 'http://evil.test/', '//evil.test/', '/%', '/%ff', '/a%2', '/a\\b'])(
    'refuses %s',
    (target) => {
      expect(isPlainTarget(target)).toBe(false);
    },
  );
});

describe('isBelow', () => {
  it.each(['/bravo', '/bravo/', '/bravo/instances?x=1', '/bravo?x=1'])('has %s below /bravo', (target) => {
    expect(isBelow(target, '/bravo')).toBe(true);
  });

  it.each([undefined, '/', '/bravonet', '/instances', '/?/bravo/'])('has %s outside of /bravo', (target) => {
    expect(isBelow(target, '/bravo')).toBe(false);
  });

  it('has every path below the root', () => {
    expect(isBelow('/instances', '')).toBe(true);
  });
});

describe('dropInternalHeaders', () => {
  it("takes Next's own headers away and leaves the rest", () => {
    const headers = { host: 'localhost', 'x-middleware-subrequest': 'proxy', 'x-nonce': 'guessed', accept: '*/*' };
    dropInternalHeaders(headers);
    expect(headers).toEqual({ host: 'localhost', accept: '*/*' });
  });
});

describe('takeCluster', () => {
  const taken = (url: string, basePath = '') => {
    const request = { url, headers: {} as { [name: string]: string } };
    takeCluster(request, basePath);
    return [request.url, request.headers['x-bravo-cluster']];
  };

  it.each([
    ['/c/staging/api/live?topic=a', '', '/api/live?topic=a', 'staging'],
    ['/bravo/c/staging/api/live', '/bravo', '/bravo/api/live', 'staging'],
    ['/c/staging/instances', '', '/c/staging/instances', undefined],
    ['/c/staging/apiary', '', '/c/staging/apiary', undefined],
    ['/api/live', '', '/api/live', undefined],
    ['/c/%73taging/api/live', '', '/c/%73taging/api/live', undefined],
  ])('makes of %s below "%s" %s in cluster %s', (url, basePath, path, cluster) => {
    expect(taken(url, basePath)).toEqual([path, cluster]);
  });
});
