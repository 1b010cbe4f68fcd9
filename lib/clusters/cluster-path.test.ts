import { describe, expect, it } from 'vitest';
import { clusterPath, sectionOf, splitClusterPath } from './cluster-path';

describe('the cluster in an address', () => {
  it.each([
    ['/', undefined, '/'],
    ['/instances', undefined, '/instances'],
    ['/c/staging', 'staging', '/'],
    ['/c/staging/', 'staging', '/'],
    ['/c/staging?x=1', 'staging', '/?x=1'],
    ['/c/staging/instances/a/b?tab=1#x', 'staging', '/instances/a/b?tab=1#x'],
    ['/c/staging/c/other', 'staging', '/c/other'],
    ['/c', undefined, '/c'],
    ['/c/', undefined, '/c/'],
    ['/c/Not_a_label/x', undefined, '/c/Not_a_label/x'],
    ['/c/..%2fx/y', undefined, '/c/..%2fx/y'],
    ['/cx/staging', undefined, '/cx/staging'],
  ])('%s is for cluster %s and path %s', (address, cluster, path) => {
    expect(splitClusterPath(address)).toEqual({ cluster, path });
  });

  it('takes off what it puts in front', () => {
    for (const path of ['/', '/instances', '/instances/a/b', '/resources?kind=x'])
      expect(splitClusterPath(clusterPath('staging', path))).toEqual({ cluster: 'staging', path });
  });

  it('has no trailing slash for the first page', () => {
    expect(clusterPath('staging', '/')).toBe('/c/staging');
    expect(clusterPath('staging', '/?x=1')).toBe('/c/staging?x=1');
  });

  it('leaves addresses of the home cluster as they were', () => {
    expect(clusterPath(undefined, '/instances')).toBe('/instances');
  });

  it('leaves a path that names its cluster', () => {
    expect(clusterPath('staging', '/c/live/instances')).toBe('/c/live/instances');
  });

  it.each(['/api/auth/me', '/api/clusters', '/api/clusters?x', '/api/health', '/api/ready'])(
    '%s is the same for all clusters',
    (path) => expect(clusterPath('staging', path)).toBe(path),
  );

  it.each(['/api/live?topic=x', '/api/kube/api/v1', '/api/clustersx'])('%s is of one cluster', (path) =>
    expect(clusterPath('staging', path)).toBe(`/c/staging${path}`),
  );

  it.each(['https://example.org', '#main', 'mailto:a@b.c'])('leaves %s', (address) =>
    expect(clusterPath('staging', address)).toBe(address),
  );
});

describe('the page after a change of the cluster', () => {
  it.each([
    ['/', '/'],
    ['/instances', '/instances'],
    ['/instances/demo/web/plans', '/instances'],
    ['/runs?status=failed', '/runs'],
    ['/sign-in', '/'],
    ['/no-such-page', '/'],
  ])('of %s is %s', (path, section) => expect(sectionOf(path)).toBe(section));
});
