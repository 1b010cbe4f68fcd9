import { describe, expect, it } from 'vitest';
import { formatResourcePath } from './path';

describe('the path of a request', () => {
  it('stands below /api for the core group and below /apis for others', () => {
    expect(formatResourcePath({ group: '', version: 'v1', resource: 'pods', namespace: 'demo', name: 'a.b-c' })).toBe(
      '/api/v1/namespaces/demo/pods/a.b-c',
    );
    expect(formatResourcePath({ group: 'apps', version: 'v1', resource: 'deployments' })).toBe(
      '/apis/apps/v1/deployments',
    );
  });

  it('takes an empty namespace for none', () => {
    expect(formatResourcePath({ group: '', version: 'v1', resource: 'nodes', namespace: '', name: 'n' })).toBe(
      '/api/v1/nodes/n',
    );
  });

  it.each([
    [{ name: '' }, 'resource name may not be empty'],
    [{ name: '..' }, 'invalid resource name "..": may not be \'..\''],
    [{ namespace: '.', name: 'a' }, 'invalid namespace "."'],
  ])('refuses %j, which would lead to another path', (place, why) => {
    const pods = { group: '', version: 'v1', resource: 'pods', namespace: 'demo' };
    expect(() => formatResourcePath({ ...pods, ...place })).toThrow(why);
  });

  it('keeps the parts of a subresource apart', () => {
    const pod = { group: '', version: 'v1', resource: 'pods', namespace: 'demo', name: 'a' };
    expect(formatResourcePath({ ...pod, subresource: 'proxy/metrics' })).toBe(
      '/api/v1/namespaces/demo/pods/a/proxy/metrics',
    );
  });

  it.each([
    ['system:node', 'system%3Anode'],
    ['a/../b', 'a%2F..%2Fb'],
    ['a?watch=1', 'a%3Fwatch%3D1'],
    ['a#b', 'a%23b'],
    ['50%', '50%25'],
    ['zürich', 'z%C3%BCrich'],
    ['a\nb', 'a%0Ab'],
  ])('escapes the name %j', (name, escaped) => {
    expect(formatResourcePath({ group: '', version: 'v1', resource: 'secrets', namespace: 'demo', name })).toBe(
      `/api/v1/namespaces/demo/secrets/${escaped}`,
    );
  });
});
