import { describe, expect, it } from 'vitest';
import { isAllowedByRules, readAccessRules } from './access-rules';

const rule = (verbs: string[], resources: string[], resourceNames: string[] = []) => ({
  verbs,
  apiGroups: ['kudo.dev'],
  resources,
  resourceNames,
});
const list = { verbs: ['list'], group: 'kudo.dev', resource: 'instances' };

describe('isAllowedByRules', () => {
  it('finds the verb, the group and the resource in one rule', () => {
    expect(isAllowedByRules([rule(['get', 'list'], ['instances'])], list)).toBe(true);
    expect(isAllowedByRules([rule(['get'], ['instances']), rule(['list'], ['operators'])], list)).toBe(false);
    expect(isAllowedByRules([{ ...rule(['list'], ['instances']), apiGroups: [''] }], list)).toBe(false);
  });

  it('takes a star for every verb, group and resource', () => {
    expect(isAllowedByRules([{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [] }], list)).toBe(
      true,
    );
  });

  it('takes a rule with names only for an object of such a name', () => {
    const named = [rule(['get'], ['instances'], ['db'])];
    const get = { ...list, verbs: ['get', 'list'] };
    expect(isAllowedByRules(named, get)).toBe(false);
    expect(isAllowedByRules(named, { ...get, name: 'db' })).toBe(true);
    expect(isAllowedByRules(named, { ...get, name: 'other' })).toBe(false);
  });

  it('does not take a resource for its subresource', () => {
    expect(isAllowedByRules([rule(['list'], ['instances'])], { ...list, resource: 'instances/status' })).toBe(false);
  });
});

describe('readAccessRules', () => {
  it('reads the rules of a review, and whether there may be more', () => {
    const resourceRules = [{ verbs: ['list'], apiGroups: ['kudo.dev'], resources: ['instances'] }];
    expect(readAccessRules({ status: { incomplete: true, resourceRules } })).toEqual({
      rules: [rule(['list'], ['instances'])],
      incomplete: true,
    });
  });

  it('reads an answer of another shape as no rule', () => {
    expect(readAccessRules({ status: { resourceRules: ['x', { verbs: 'list' }] } }).rules).toEqual([
      { verbs: [], apiGroups: [], resources: [], resourceNames: [] },
      { verbs: [], apiGroups: [], resources: [], resourceNames: [] },
    ]);
    expect(readAccessRules(undefined)).toEqual({ rules: [], incomplete: false });
  });
});
