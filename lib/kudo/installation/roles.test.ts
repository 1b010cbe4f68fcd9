import { describe, expect, it } from 'vitest';
import { arrayAt } from '@/lib/json/json';
import { isAllowedByRules, readAccessRules } from '@/lib/kube/access-rules';
import { bravoRoles } from './roles';

/** What a role allows, asked in the words of RBAC. */
function allows(name: string, verb: string, resource: string, group = 'kudo.dev'): boolean {
  const role = bravoRoles().find(({ metadata }) => metadata.name === name);
  const { rules } = readAccessRules({ status: { resourceRules: arrayAt(role, 'rules') } });
  return isAllowedByRules(rules, { verbs: [verb], group, resource });
}

describe('bravoRoles', () => {
  it('adds each role to one of those that come with Kubernetes', () => {
    expect(bravoRoles().map(({ metadata }) => [metadata.name, Object.keys(metadata.labels ?? {})[1]])).toEqual([
      ['bravo-viewer', 'rbac.authorization.k8s.io/aggregate-to-view'],
      ['bravo-user', 'rbac.authorization.k8s.io/aggregate-to-edit'],
      ['bravo-admin', 'rbac.authorization.k8s.io/aggregate-to-admin'],
    ]);
  });

  it.each([
    ['list', 'instances', 'kudo.dev', [true, true, true]],
    ['watch', 'planruns', 'bravo.kudo.dev', [true, true, true]],
    ['patch', 'instances', 'kudo.dev', [false, true, true]],
    ['patch', 'planruns', 'bravo.kudo.dev', [false, true, true]],
    ['create', 'planapprovals', 'bravo.kudo.dev', [false, true, true]],
    ['destroy', 'instances', 'kudo.dev', [false, false, true]],
    ['patch', 'planapprovals/status', 'bravo.kudo.dev', [false, false, true]],
    ['create', 'instances', 'kudo.dev', [false, false, true]],
    ['delete', 'instances', 'kudo.dev', [false, false, true]],
    ['create', 'planschedules', 'bravo.kudo.dev', [false, false, true]],
    ['create', 'operatorupgrades', 'bravo.kudo.dev', [false, false, true]],
    ['patch', 'operatorsubscriptions/status', 'bravo.kudo.dev', [false, false, true]],
    ['list', 'operatorupgrades', 'bravo.kudo.dev', [true, true, true]],
    ['list', 'secrets', '', [false, false, false]],
  ])('%s %s of "%s" for viewer, user and admin: %j', (verb, resource, group, expected) => {
    expect(['bravo-viewer', 'bravo-user', 'bravo-admin'].map((name) => allows(name, verb, resource, group))).toEqual(
      expected,
    );
  });
});
