import { expect, it } from 'vitest';
import type { JsonValue } from '@/lib/json/json';
import { TestCluster } from '../../workloads/test-cluster';

type Spec = { [key: string]: JsonValue };

const POLICIES = { group: 'admissionregistration.k8s.io', version: 'v1', resource: 'validatingadmissionpolicies' };
const BINDINGS = { ...POLICIES, resource: 'validatingadmissionpolicybindings' };
const rule = { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['*'] };
const validations = (expression: string, more: Spec = {}) => ({ validations: [{ expression, ...more }] });

const make = (resource: typeof POLICIES, spec: Spec) => () =>
  new TestCluster({ mode: 'no-pods' }).create(resource, { metadata: { name: 'x' }, spec });
const policy = (spec: Spec) =>
  make(POLICIES, { matchConstraints: { resourceRules: [rule] }, ...validations('true'), ...spec });

/** Texts as kube-apiserver words them, but for what cannot be compiled. */
it.each<[string, Spec, string]>([
  ['without constraints', { matchConstraints: null }, 'spec.matchConstraints: Required value'],
  ['without rules', { matchConstraints: {} }, 'spec.matchConstraints.resourceRules: Required value'],
  [
    'with a rule for nothing',
    { matchConstraints: { resourceRules: [{ ...rule, resources: [] }] } },
    'spec.matchConstraints.resourceRules[0].resources: Required value',
  ],
  [
    'that validates nothing',
    { validations: [] },
    'spec.validations: Required value: validations or auditAnnotations must be non-empty',
  ],
  [
    'with a text that is no expression',
    validations('1 +'),
    'spec.validations[0].expression: Invalid value: "1 +": compilation failed',
  ],
  [
    'that gives no answer',
    validations('"a"'),
    'spec.validations[0].expression: Invalid value: "\\"a\\"": must evaluate to bool but got string',
  ],
  [
    'with a reason of its own',
    validations('true', { reason: 'Odd' }),
    'spec.validations[0].reason: Unsupported value: "Odd"',
  ],
  [
    'with two variables of one name',
    {
      variables: [
        { name: 'a', expression: '1' },
        { name: 'a', expression: '2' },
      ],
    },
    'spec.variables[1].name: Duplicate value: "a"',
  ],
])('a policy %s is refused', (_what, spec, text) => {
  expect(policy(spec)).toThrow(text);
});

it('a policy gets its defaults', () => {
  const { spec } = policy({})();
  expect(spec).toMatchObject({
    failurePolicy: 'Fail',
    matchConstraints: { matchPolicy: 'Equivalent', namespaceSelector: {}, resourceRules: [{ scope: '*' }] },
  });
});

it.each<[string, Spec, string]>([
  ['denies and warns', { validationActions: ['Deny', 'Warn'] }, 'must not contain both Deny and Warn'],
  ['does nothing', { validationActions: [] }, 'spec.validationActions: Required value'],
  ['names no policy', { policyName: '' }, 'spec.policyName: Required value'],
  [
    'finds no parameters',
    { paramRef: { parameterNotFoundAction: 'Deny' } },
    'spec.paramRef: Required value: one of name or selector must be specified',
  ],
])('a binding that %s is refused', (_what, spec, text) => {
  expect(make(BINDINGS, { policyName: 'p', validationActions: ['Deny'], ...spec })).toThrow(text);
});
