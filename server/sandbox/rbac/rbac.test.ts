import { describe, expect, it } from 'vitest';
import { parseTokenFile } from '../auth/token-file';
import type { Attributes } from './attributes';
import { ruleAllows, toPolicyRule } from './rbac';

function on(verb: string, resource: string, name = ''): Attributes {
  const [main = '', subresource = ''] = resource.split('/');
  return { verb, path: '', resource: { group: 'apps', resource: main, subresource, namespace: 'a', name } };
}

describe('rules', () => {
  const rule = toPolicyRule({ apiGroups: ['apps'], resources: ['deployments', '*/scale'], verbs: ['get'] });

  it.each([
    [on('get', 'deployments'), true],
    [on('list', 'deployments'), false],
    [on('get', 'deployments/status'), false],
    [on('get', 'statefulsets/scale'), true],
  ])('%j', (attributes, allowed) => {
    expect(ruleAllows(rule, attributes)).toBe(allowed);
  });

  it('with names open only those names', () => {
    const named = toPolicyRule({ apiGroups: ['apps'], resources: ['deployments'], resourceNames: ['x'], verbs: ['*'] });
    expect([ruleAllows(named, on('get', 'deployments', 'x')), ruleAllows(named, on('list', 'deployments'))]).toEqual([
      true,
      false,
    ]);
  });

  it('of paths end in a star for everything below', () => {
    const paths = toPolicyRule({ nonResourceURLs: ['/healthz', '/api/*'], verbs: ['get'] });
    const path = (text: string): boolean => ruleAllows(paths, { verb: 'get', path: text, resource: undefined });
    expect([path('/healthz'), path('/healthz/x'), path('/api/v1'), path('/metrics')]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });
});

describe('a token file', () => {
  it('has token, user, uid and quoted groups', () => {
    const users = parseTokenFile('# people\nA,admin,1,"system:masters,dev"\nB,bob,2\n');
    expect(users.get('A')).toEqual({ name: 'admin', uid: '1', groups: ['system:masters', 'dev'], extra: {} });
    expect(users.get('B')?.groups).toEqual([]);
  });

  it('is refused with the line that is wrong', () => {
    expect(() => parseTokenFile('A,admin,1\nB\n')).toThrow('Line 2 of the token file');
  });
});
