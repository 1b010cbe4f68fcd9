import { beforeEach, describe, expect, it } from 'vitest';
import type { JsonValue } from '@/lib/json/json';
import { StatusError } from '../../http/status';
import { resources } from '../../workloads/core/resources';
import { TestCluster, template } from '../../workloads/test-cluster';

type Spec = { [key: string]: JsonValue };

const POLICIES = { group: 'admissionregistration.k8s.io', version: 'v1', resource: 'validatingadmissionpolicies' };
const BINDINGS = { ...POLICIES, resource: 'validatingadmissionpolicybindings' };
const onConfigMaps = {
  resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['*'] }],
};

let cluster: TestCluster;
beforeEach(async () => {
  cluster = new TestCluster();
  await cluster.settle();
});

/** Makes policy `p` with binding `b`. */
function policy(spec: Spec, binding: Spec = {}): void {
  cluster.create(POLICIES, { metadata: { name: 'p' }, spec: { matchConstraints: onConfigMaps, ...spec } });
  cluster.create(BINDINGS, {
    metadata: { name: 'b' },
    spec: { policyName: 'p', validationActions: ['Deny'], ...binding },
  });
}
const validations = (expression: string, more: Spec = {}) => ({ validations: [{ expression, ...more }] });
const small = validations('!has(object.data) || object.data.all(k, object.data[k].size() < 3)');
const configMap = (name: string, data: Spec = {}, labels = {}) =>
  cluster.create(resources.configmaps, { metadata: { name, namespace: 'demo', labels }, data });

/** What a write is refused with, undefined when it is taken. */
function refusal(write: () => unknown): string | undefined {
  try {
    write();
    return undefined;
  } catch (error) {
    if (error instanceof StatusError) return error.message;
    throw error;
  }
}
const said = (message: string, name = 'a') =>
  `configmaps "${name}" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: ${message}`;

describe('a ValidatingAdmissionPolicy', () => {
  it('refuses what does not hold, with code, reason and cause, and lets the rest through', () => {
    policy(small);
    configMap('ok', { a: 'x' });
    try {
      configMap('a', { a: 'long' });
      expect.unreachable();
    } catch (error) {
      const message = said(`failed expression: ${small.validations[0]?.expression}`);
      expect(error).toMatchObject({
        status: {
          code: 422,
          reason: 'Invalid',
          message,
          details: { name: 'a', kind: 'configmaps', causes: [{ message: message.replace(/^.*forbidden: /, '') }] },
        },
      });
    }
  });

  it('says its own words, made by an expression or not, and gives its reason', () => {
    const more = { messageExpression: "'at most 2, not ' + string(object.data.a.size())", message: 'too long' };
    policy({ validations: [{ ...small.validations[0], ...more, reason: 'Forbidden' }] } as Spec);
    expect(() => configMap('a', { a: 'long' })).toThrow(said('at most 2, not 4'));
    expect(() => configMap('a', { b: 'long' })).toThrow(said('too long'));
    try {
      configMap('a', { b: 'long' });
    } catch (error) {
      expect(error).toMatchObject({ status: { code: 403, reason: 'Forbidden' } });
    }
  });

  it('holds updates against what was before, deletions, and what dry runs and internal writes do', () => {
    policy({
      validations: [
        { expression: "request.operation != 'UPDATE' || object.data == oldObject.data", message: 'fixed' },
        { expression: "request.operation != 'DELETE' || oldObject.metadata.name != 'kept'", message: 'stays' },
      ],
    });
    configMap('kept', { a: '1' });
    expect(refusal(() => cluster.patch(resources.configmaps, 'kept', { data: { a: '2' } }))).toBe(
      said('fixed', 'kept'),
    );
    expect(refusal(() => cluster.patch(resources.configmaps, 'kept', { metadata: { labels: { a: 'b' } } }))).toBe(
      undefined,
    );
    expect(refusal(() => cluster.delete(resources.configmaps, 'kept'))).toBe(said('stays', 'kept'));
  });

  it('reaches what controllers make', async () => {
    const pods = [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] }];
    policy({
      matchConstraints: { resourceRules: pods },
      ...validations("object.spec.containers.all(c, !c.image.endsWith(':1'))", { message: 'no :1' }),
    });
    cluster.create(resources.replicasets, {
      metadata: { name: 'web', namespace: 'demo' },
      spec: { replicas: 1, selector: { matchLabels: { app: 'web' } }, template: template('web') },
    });
    await cluster.advance(1_000);
    expect(cluster.list(resources.pods)).toEqual([]);
    const status = JSON.stringify(cluster.get(resources.replicasets, 'web')?.status);
    expect(status).toContain("ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no :1");
  });

  it('knows the namespace, who asks, and variables that use others', () => {
    policy({
      variables: [
        { name: 'names', expression: '[namespaceObject.metadata.name, request.userInfo.username]' },
        { name: 'line', expression: "variables.names.join(' ')" },
        { name: 'unused', expression: 'object.nothing.here' },
      ],
      ...validations('false', { messageExpression: 'variables.line' }),
    });
    expect(refusal(() => configMap('a'))).toBe(said('demo system:kube-controller-manager'));
  });

  it.each<[string, Spec, Spec, boolean]>([
    [
      'a condition that does not hold',
      { matchConditions: [{ name: 'c', expression: "object.metadata.name == 'b'" }] },
      {},
      false,
    ],
    [
      'a namespace that its binding leaves out',
      {},
      { matchResources: { namespaceSelector: { matchLabels: { x: 'y' } } } },
      false,
    ],
    [
      'an object that its binding selects',
      {},
      { matchResources: { objectSelector: { matchLabels: { app: 'a' } } } },
      true,
    ],
    [
      'a name that it excludes',
      {
        matchConstraints: {
          ...onConfigMaps,
          excludeResourceRules: [{ ...onConfigMaps.resourceRules[0], resourceNames: ['a'] }],
        },
      },
      {},
      false,
    ],
    [
      'another operation',
      { matchConstraints: { resourceRules: [{ ...onConfigMaps.resourceRules[0], operations: ['UPDATE'] }] } },
      {},
      false,
    ],
    ['only a warning', {}, { validationActions: ['Warn', 'Audit'] }, false],
    ['another policy', {}, { policyName: 'other' }, false],
  ] as [string, Spec, Spec, boolean][])('looks where it is told: %s', (_what, spec, binding, refused) => {
    policy({ ...validations('false'), ...spec }, binding);
    expect(refusal(() => configMap('a', {}, { app: 'a' })) !== undefined).toBe(refused);
  });

  it.each<[string, Spec, string]>([
    [
      'an expression',
      validations('object.data.missing == "x"'),
      'expression \'object.data.missing == "x"\' resulted in error: no such key: missing',
    ],
    [
      'a condition',
      { ...validations('true'), matchConditions: [{ name: 'c', expression: 'object.gone == 1' }] },
      "expression 'object.gone == 1' resulted in error: no such key: gone",
    ],
  ])('that cannot evaluate %s refuses, or with Ignore lets through', (_what, spec, text) => {
    policy(spec);
    expect(refusal(() => configMap('a', { b: 'c' }))).toBe(said(text));
    cluster.api.patch({ ...POLICIES, name: 'p' }, { spec: { failurePolicy: 'Ignore' } });
    expect(refusal(() => configMap('a', { b: 'c' }))).toBeUndefined();
  });

  it('asks who may do what, of the one who writes and of service accounts', () => {
    const may = "authorizer.group('').resource('secrets').namespace('demo').check('create').allowed()";
    const account =
      "authorizer.serviceAccount('demo', 'default').group('').resource('secrets').namespace('demo').check('get')";
    const more = [
      "authorizer.requestResource.check('delete').allowed()",
      "authorizer.path('/healthz').check('get').allowed()",
    ];
    // One expression may ask twice.
    const expressions = [`${may} && !${account}.allowed()`, more.join(' && ')];
    policy({ validations: expressions.map((expression) => ({ expression })) });
    expect(refusal(() => configMap('a'))).toBeUndefined();
    cluster.delete(resources.configmaps, 'a');
    cluster.api.patch(
      { ...POLICIES, name: 'p' },
      { spec: validations(`${account}.allowed()`, { message: 'no rights' }) },
    );
    expect(refusal(() => configMap('a'))).toBe(said('no rights'));
    const often = `[1,2,3,4,5,6].all(a, [1,2,3,4,5,6].all(b, ${may}))`;
    cluster.api.patch({ ...POLICIES, name: 'p' }, { spec: validations(often) });
    expect(refusal(() => configMap('a'))).toContain('actual cost limit exceeded');
  });

  it('runs out of budget instead of time', () => {
    const all = 'object.data.all(a, object.data.all(b, object.data.all(c, a + b + c != "")))';
    const data = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, 'v']));
    policy(validations(all));
    expect(refusal(() => configMap('a', { a: 'b' }))).toBeUndefined();
    expect(refusal(() => configMap('b', data))).toBe(
      said(`expression '${all}' resulted in error: operation cancelled: actual cost limit exceeded`, 'b'),
    );
  });

  it('runs no more expressions when together they cost too much', () => {
    const half = 'object.data.all(a, object.data.all(b, a + b != ""))';
    const data = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, 'v']));
    policy({ validations: Array.from({ length: 30 }, () => ({ expression: half })) });
    expect(refusal(() => configMap('b', data))).toBe(
      said('validation failed due to running out of cost budget, no further validation rules will be run', 'b'),
    );
  });
});

describe('parameters of a policy', () => {
  const withParams = (binding: Spec) =>
    policy(
      {
        paramKind: { apiVersion: 'v1', kind: 'Secret' },
        ...validations('params == null || object.metadata.name.startsWith(params.metadata.name)', {
          messageExpression: "'name begins with ' + params.metadata.name",
        }),
      },
      binding,
    );
  const param = (name: string) =>
    cluster.create(resources.secrets, { metadata: { name, namespace: 'demo', labels: { rule: 'name' } } });

  it('are found by name or by labels, each on its own', () => {
    param('x');
    param('y');
    withParams({ paramRef: { selector: { matchLabels: { rule: 'name' } }, parameterNotFoundAction: 'Deny' } });
    expect(refusal(() => configMap('xa'))).toBe(said('name begins with y', 'xa'));
    cluster.delete(resources.secrets, 'y');
    expect(refusal(() => configMap('xa'))).toBeUndefined();
  });

  it.each([
    [
      'Deny',
      said('failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction'),
    ],
    ['Allow', undefined],
  ])('that are missing mean %s', (parameterNotFoundAction, expected) => {
    withParams({ paramRef: { name: 'gone', parameterNotFoundAction } });
    expect(refusal(() => configMap('a'))).toBe(expected);
  });

  it('are null where the binding names none', () => {
    withParams({});
    expect(refusal(() => configMap('a'))).toBeUndefined();
  });
});

it('policies are never held against policies: nobody is locked out', () => {
  policy({
    matchConstraints: {
      resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations: ['*'] }],
    },
    ...validations('false'),
  });
  expect(refusal(() => configMap('a'))).toContain('denied request');
  expect(refusal(() => cluster.api.delete({ ...BINDINGS, name: 'b' }))).toBeUndefined();
  expect(refusal(() => configMap('a'))).toBeUndefined();
});
