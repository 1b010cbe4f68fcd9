import { describe, expect, it } from 'vitest';
import { APPLY, DEPLOY, OPERATOR_HEAD, parameters, uses, verify } from './verify-fixture';

const API = `api:
- group: example.com
  kind: Pond
  versions:
  - name: v1
    schema:
      spec:
        size: integer | default=3 minimum=1 maximum=7
    scale: {specReplicasPath: .spec.size}
  instance:
    parameters:
      SIZE: "{{ .Spec.size }}"
  status:
    fish: "\${instance != null ? 1 : 0}"
  rules:
  - rule: self.spec.size < 6
    reason: TooLarge
    message: "{{ .Spec.size }} fish are too many."
`;
const PARAMS = parameters("name: SIZE, default: '1', type: integer, description: d");

function check(api: string, params = PARAMS, names = ['SIZE']) {
  const operator = `${OPERATOR_HEAD}${APPLY}${DEPLOY}${api}`;
  try {
    const { errors, all } = verify({ operator, params, templates: uses(...names) });
    const lines = all.map(({ line }) => operator.split('\n')[line - 1]?.trim());
    return { errors, lines };
  } catch (error) {
    return { errors: [String(error)], lines: [] };
  }
}

describe('verification of api:', () => {
  it('a kind whose parameters, schema and expressions fit is valid', () => {
    expect(check(API).errors).toEqual([]);
  });

  it.each<[string, string, string, string]>([
    ['an unknown parameter', 'SIZE:', 'LENGTH:', 'parameter "LENGTH" of kind Pond is not defined'],
    ['CEL that does not compile', 'self.spec.size < 6', 'self.spec.size <', 'rule of kind Pond: compilation failed'],
    [
      'a rule that gives no bool',
      'self.spec.size < 6',
      'self.spec.size + 6',
      'rule of kind Pond: the expression must give a bool',
    ],
    [
      'a status that does not compile',
      'instance != null',
      'nothing != null',
      'status fish of kind Pond: compilation failed',
    ],
    ['a template of nothing', '"{{ .Spec.size }}"', '"{{ .Params.SIZE }}"', 'variable "Params" does not exist here'],
    ['a default that breaks the schema', 'default=3', 'default=9', '.spec.size: the default is not valid'],
    ['a default that breaks the parameter', '"{{ .Spec.size }}"', '"{{ .Spec.size }} fish"', 'that has only defaults'],
    ['a scale that leads nowhere', '.spec.size}', '.spec.replicas}', '"specReplicasPath" .spec.replicas must lead to'],
    ['a reserved group', 'example.com', 'x.k8s.io', 'group "x.k8s.io" is reserved'],
    ['a kind in lower case', 'kind: Pond', 'kind: pond', 'kind "pond" must be one word in CamelCase'],
    ['a bad rule of the schema', 'maximum=7', 'validation="self >"', '.spec.size: rule "self >"'],
    ['a cluster scope', 'kind: Pond', 'kind: Pond\n  scope: Cluster', '"scope" must be Namespaced'],
    ['a strange key', 'kind: Pond', 'kind: Pond\n  pural: ponds', '"api" has no key "pural" here'],
    ['a type that is none', 'integer | default=3 minimum=1 maximum=7', 'whole', 'spec.size: "whole" is not a type'],
    [
      'nothing behind it',
      'instance:\n    parameters:\n      SIZE: "{{ .Spec.size }}"',
      'instances: {}',
      'needs either "instance" or "run"',
    ],
  ])('%s is an error', (_, from, to, message) => {
    const { errors } = check(API.replace(from, to));
    expect(errors.join('\n')).toContain(message);
  });

  it('an error names the line of the field', () => {
    const { lines } = check(API.replace('default=3', 'default=9'));
    expect(lines).toContain('size: integer | default=9 minimum=1 maximum=7');
  });

  it('a required parameter that nobody sets is an error', () => {
    const params = `${PARAMS}- {name: COLOUR, required: true, description: d}\n`;
    expect(check(API, params, ['SIZE', 'COLOUR']).errors).toEqual([
      'kind Pond sets no value of parameter "COLOUR", which is required and has no default',
    ]);
  });

  it('a run of a plan that does not exist is an error', () => {
    const api = API.replace('instance:\n', 'run:\n    plan: backup\n    instance: "{{ .Spec.pond }}"\n');
    expect(check(api).errors).toContain('plan "backup" of "run" does not exist');
  });

  it('a second version may leave out fields, and may not add or change one', () => {
    const second = (field: string) =>
      API.replace('versions:\n', `versions:\n  - name: v1alpha1\n    schema: {spec: {${field}}}\n`).replace(
        '- name: v1\n',
        '- name: v1\n    storage: true\n',
      );
    expect(check(second('')).errors).toEqual([]);
    expect(check(second('depth: integer')).errors.join()).toContain(
      'version v1alpha1 has the additional field .spec.depth',
    );
    expect(check(second('size: string')).errors.join()).toContain(
      'has another type (string, not integer) for .spec.size',
    );
  });

  it('the schema may come from the parameters, without the secret ones', () => {
    const api = API.replace(/spec:\n {8}size.*\n/, 'fromParameters: true\n').replace(
      'instance:\n    parameters:\n      SIZE: "{{ .Spec.size }}"',
      'instance: {}',
    );
    const params = `${PARAMS}- {name: ROOT_PASSWORD, default: '', secret: true, description: d}\n`;
    expect(check(api, params, ['SIZE', 'ROOT_PASSWORD']).errors).toEqual([]);
  });
});
