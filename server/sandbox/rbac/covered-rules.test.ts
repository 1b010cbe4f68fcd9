import { describe, expect, it } from 'vitest';
import { describeRules, missingRules } from './covered-rules';
import { type PolicyRule, toPolicyRule } from './rbac';

const rule = (apiGroup: string, resources: string[], verbs: string[], resourceNames: string[] = []): PolicyRule =>
  toPolicyRule({ apiGroups: [apiGroup], resources, verbs, resourceNames });
const path = (url: string): PolicyRule => toPolicyRule({ nonResourceURLs: [url], verbs: ['get'] });

describe('missingRules', () => {
  it.each<[string, PolicyRule, PolicyRule, boolean]>([
    ['the same', rule('', ['pods'], ['get']), rule('', ['pods'], ['get']), true],
    ['every verb', rule('', ['pods'], ['*']), rule('', ['pods'], ['get', 'list']), true],
    ['a verb less', rule('', ['pods'], ['get']), rule('', ['pods'], ['get', 'list']), false],
    ['every verb for one', rule('', ['pods'], ['get']), rule('', ['pods'], ['*']), false],
    ['another group', rule('apps', ['pods'], ['get']), rule('', ['pods'], ['get']), false],
    ['every resource', rule('*', ['*'], ['*']), rule('x.io', ['a', 'b/status'], ['get']), true],
    ['a subresource by its name', rule('', ['*/scale'], ['get']), rule('', ['a/scale'], ['get']), true],
    ['a subresource for the resource', rule('', ['pods'], ['get']), rule('', ['pods/log'], ['get']), false],
    ['all names for one', rule('', ['pods'], ['get']), rule('', ['pods'], ['get'], ['a']), true],
    ['one name for all', rule('', ['pods'], ['get'], ['a']), rule('', ['pods'], ['get']), false],
    ['names', rule('', ['pods'], ['get'], ['a', 'b']), rule('', ['pods'], ['get'], ['b']), true],
    ['a tree of paths', path('/healthz/*'), path('/healthz/etcd'), true],
    ['another path', path('/healthz'), path('/metrics'), false],
  ])('knows whether %s is enough', (_what, owned, wanted, isEnough) => {
    expect(missingRules([owned], [wanted]).length === 0).toBe(isEnough);
  });

  it('adds up rules piece by piece', () => {
    const owned = [rule('', ['pods'], ['get']), rule('', ['secrets'], ['get'])];
    expect(missingRules(owned, [rule('', ['pods', 'secrets'], ['get'])])).toEqual([]);
  });

  it('says what is missing, a line a resource', () => {
    const missing = missingRules([], [rule('', ['secrets', 'pods'], ['get', 'list']), path('/metrics')]);
    expect(describeRules(missing).split('\n')).toEqual([
      '{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}',
      '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}',
      '{NonResourceURLs:["/metrics"], Verbs:["get"]}',
    ]);
  });

  it('takes a rule of very many combinations as a whole', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => `x${index}`);
    const huge = toPolicyRule({ apiGroups: many, resources: many, verbs: many });
    expect(missingRules([rule('', ['pods'], ['get'])], [huge, huge])).toEqual([huge, huge]);
    expect(missingRules([rule('*', ['*'], ['*'])], [huge])).toEqual([]);
  });
});
