import { describe, expect, it } from 'vitest';
import { parseParameterChecks } from './parameter-checks';
import { APPLY, CONFIG, DEPLOY, OPERATOR_HEAD, parameters, uses, verify } from './verify-fixture';

describe('verification', () => {
  it('a valid package has neither errors nor warnings', () => {
    expect(verify({})).toMatchObject({ errors: [], warnings: [] });
  });

  it('PKG-043 PKG-044 PKG-045 the errors of the fixture, in order and with their lines', () => {
    const operator = `name: zk\nversion: "0.1.0"\nkubernetesVersion: 1.15.0\n${APPLY}${DEPLOY}`;
    const params = 'parameters:\n- name: cpus\n  default: "0.25"\n- name: Cpus\n- name: comma,\n  trigger: gone\n';
    const { errors, warnings, all } = verify({ operator, params, templates: uses('cpus') });
    expect(errors).toEqual([
      'parameter "Cpus" has a duplicate',
      'parameter "comma," contains invalid character \',\'',
      '"operatorVersion" is required and must be semver',
      'plan "gone" used in parameter "comma," is not defined',
    ]);
    expect(warnings).toEqual(['parameter "Cpus" defined but not used.']);
    expect(all.map(({ path }) => path)).toEqual([
      'params.yaml:4',
      'params.yaml:5',
      'operator.yaml:1',
      'params.yaml:5',
      'params.yaml:4',
    ]);
  });

  it('PKG-048 PKG-049 PKG-050 PKG-051 versions are required and semantic', () => {
    const with_ = (operatorVersion: string, kubernetesVersion: string) =>
      verify({
        operator: `name: a\noperatorVersion: "${operatorVersion}"\nkubernetesVersion: "${kubernetesVersion}"\n${APPLY}${DEPLOY}`,
      }).errors;
    expect(with_('v1.2', '1')).toEqual([]);
    expect(with_('1.0.0', '')).toEqual(['"kubernetesVersion" is required and must be semver']);
    expect(with_('1.0.0', '1.')).toEqual(['unable to parse "kubernetesVersion": Invalid Semantic Version']);
  });

  it.each([
    [
      'PKG-052',
      'Apply, spec: {}',
      "task validation error: apply task 't' has an empty resource list. if that's what you need, use a Dummy task instead",
    ],
    ['PKG-053', 'Pipe, spec: {pod: x.yaml}', 'task validation error: pipe task has an empty pipe files list'],
    [
      'PKG-054',
      'Pipe, spec: {pod: x.yaml, pipe: [{file: a, envFile: b, kind: Secret, key: k}]}',
      "task validation error: pipe file {a b Secret k} must have either 'file' or 'envFile' field set but not both",
    ],
    [
      'PKG-055',
      'Pipe, spec: {pod: x.yaml, pipe: [{file: /a/b, kind: Secret, key: a.b}]}',
      'task validation error: invalid pipe key (only letters, numbers and _ and - are allowed): {/a/b  Secret a.b}',
    ],
    ['PKG-033', 'apply, spec: {resources: [x.yaml]}', 'unknown task kind apply'],
  ])('%s tasks are well formed', (_, task, message) => {
    const { errors } = verify({ operator: `${OPERATOR_HEAD}tasks:\n- {name: t, kind: ${task}}\n${DEPLOY}` });
    expect(errors).toEqual([message]);
  });

  it('PKG-056 PKG-058 plans use existing tasks, and every task is used', () => {
    const plans = 'plans:\n  boring-rainy:\n    phases: [{name: p, steps: [{name: s, tasks: [t, thingThree]}]}]\n';
    const tasks = `${APPLY}- {name: thingTwo, kind: Dummy}\n`;
    expect(verify({ operator: OPERATOR_HEAD + tasks + plans })).toMatchObject({
      errors: [
        'task "thingThree" in plan "boring-rainy" is not defined',
        "an operator is required to have 'deploy' plan",
      ],
      warnings: ['task "thingTwo" defined but not used'],
    });
  });

  it('PKG-059 templates and toggles use existing parameters', () => {
    const tasks = `${APPLY}- {name: toggle, kind: Toggle, spec: {parameter: NotDefined, resources: [x.yaml]}}\n`;
    const { errors, warnings } = verify({
      operator: OPERATOR_HEAD + tasks + DEPLOY.replace('[t]', '[t, toggle]'),
      params: parameters('name: NotUsed, default: a'),
      templates: { 'x.yaml': `${CONFIG}data: {a: "{{ .Params.Bar }}", b: "{{ .Bar }}"}\n` },
    });
    expect(errors.slice(0, 3)).toEqual([
      'parameter "Bar" in template x.yaml is not defined',
      'parameter "NotDefined" in ToggleTask toggle is not defined',
      'template x.yaml defines an invalid implicit parameter "Bar"',
    ]);
    expect(warnings).toEqual(['parameter "NotUsed" defined but not used.']);
  });

  it('PKG-060 PKG-061 PKG-064 (improved) a parameter counts as used anywhere in a template, or if it has a trigger', () => {
    const template = `${CONFIG}data:
  a: "{{ $.Params.A }}"
  b: "{{ range $i := list .Params.B }}{{ $i }}{{ .c }}{{ else }}{{ .Params.C }}{{ end }}"
  d: "{{ index .Params "D" }}"
  e: "{{ with .Params.B }}{{ $.Params.E }}{{ end }}"
`.replace('{{ .c }}', '');
    const names = ['A', 'B', 'C', 'D', 'E'].map((name) => `name: ${name}, default: "1"`);
    const triggered = 'name: T, default: "1", trigger: deploy';
    expect(verify({ params: parameters(...names, triggered), templates: { 'x.yaml': template } })).toMatchObject({
      errors: [],
      warnings: [],
    });
    const whole = { 'x.yaml': `${CONFIG}data:\n  all: {{ toYaml .Params | quote }}\n` };
    expect(verify({ params: parameters(...names), templates: whole })).toMatchObject({ errors: [], warnings: [] });
  });

  it('PKG-057 a trigger names an existing plan', () => {
    const params = parameters('name: PARAM2, default: a, trigger: not-existing-plan');
    expect(verify({ params, templates: uses('PARAM2') }).errors).toEqual([
      'plan "not-existing-plan" used in parameter "PARAM2" is not defined',
    ]);
  });

  it('PKG-063 a field of an unknown variable is not a parameter; rendering reports the error', () => {
    const { errors } = verify({ templates: { 'x.yaml': `${CONFIG}data: {a: "{{ .Xyx.Foo }}"}\n` } });
    expect(errors.filter((error) => error.includes('parameter "Foo"'))).toEqual([]);
    expect(errors.join()).toContain('Xyx');
  });

  it('PKG-062 a template that does not parse is named with its line', () => {
    const { errors, all } = verify({ templates: { 'x.yaml': `${CONFIG}{{ end }}\n` } });
    expect(errors[0]).toMatch(/^template file "x.yaml" reports the following error: .*unexpected \{\{end\}\}/);
    expect(all[0]?.path).toBe('templates/x.yaml:4');
  });

  it('PKG-065 PKG-071 PKG-072 PKG-073 attributes of parameters are checked', () => {
    const params = `groups: [{name: g}, {name: g}]\n${parameters(
      'name: I, immutable: true, required: false',
      'name: G, default: a, group: some/group',
      'name: A, advanced: true',
    )}`;
    expect(verify({ params, templates: uses('I', 'G', 'A') }).errors).toEqual([
      'parameter "I" is immutable but is not marked as required or has a default value',
      'parameter "G" has a group with invalid character \'/\'',
      'parameter "A" is marked as advanced, but also as required and has no default. An advanced parameter must either be optional or have a default value',
      'parameter group "g" is duplicated',
      'parameter "G" has a group "some/group" that is not defined in the group section',
    ]);
  });

  it('PKG-066 enums and defaults match their type', () => {
    const params = parameters(
      'name: E, enum: []',
      'name: NUM, type: integer, enum: [noint, "23", "42", "1.23"], default: "7"',
    );
    expect(verify({ params, templates: uses('E', 'NUM') }).errors).toEqual([
      'parameter "E" is an enum but has no allowed values',
      'parameter "NUM" has an invalid enum value: type is "integer" but format of "noint" is invalid: strconv.ParseInt: parsing "noint": invalid syntax',
      'parameter "NUM" has an invalid enum value: type is "integer" but format of "1.23" is invalid: strconv.ParseInt: parsing "1.23": invalid syntax',
      'parameter "NUM" has an invalid default value: value is "7", but only allowed values are [noint 23 42 1.23]',
    ]);
  });

  it.each([
    ['PKG-067 (differs) a whole number', 'integer, default: 42', 0],
    ['PKG-068 a text with a number', 'integer, default: "42"', 0],
    ['a fraction', 'integer, default: 4.2', 1],
    ['PKG-069 a number', 'number, default: 0.5', 0],
    ['PKG-070 a number for a text', 'string, default: 5', 1],
    ['a boolean', 'boolean, default: true', 0],
    ['a text for a list', 'array, default: "[a]"', 1],
    ['a list', 'array, default: [a]', 0],
    ['a map', 'map, default: {a: b}', 0],
  ])('%s as %s gives %i errors', (_, declaration, count) => {
    const { errors } = verify({
      params: parameters(`name: X, type: ${declaration}`),
      templates: { 'x.yaml': `${CONFIG}data: {x: {{ toString .Params.X | quote }}}\n` },
    });
    expect(errors.filter((message) => message.includes('invalid default value'))).toHaveLength(count);
  });

  it('T-24 warns about a large number as default', () => {
    const { warnings } = verify({ params: parameters('name: X, default: 1000000'), templates: uses('X') });
    expect(warnings[0]).toContain('templates see as 1e+06');
  });

  it('PKG-074 tasks use existing templates, and every template is used', () => {
    const operator = OPERATOR_HEAD + APPLY.replace('x.yaml', 'foo.yaml, bar.yaml') + DEPLOY;
    expect(verify({ operator, templates: { 'foo.yaml': CONFIG, 'baz.yaml': CONFIG } })).toMatchObject({
      errors: ['template "bar.yaml" required by t but is not defined'],
      warnings: ['template "baz.yaml" is not referenced from any task'],
    });
  });

  it('PKG-042 PKG-075 PKG-076 PKG-077 templates render with the defaults', () => {
    const params = parameters('name: M, type: map, default: {a: a, b: b}', 'name: L, type: array, default: [a, b]');
    const ranges = `${CONFIG}data:\n{{ range $k, $v := .Params.M }}  {{ $k }}: {{ $v }}\n{{ end }}{{ range .Params.L }}  l{{ . }}: x\n{{ end }}`;
    expect(verify({ params, templates: { 'x.yaml': ranges } })).toMatchObject({ errors: [], warnings: [] });
    expect(verify({ templates: { 'x.yaml': '{{ if eq }}{{ end }}' } }).errors[0]).toMatch(
      /^error rendering template: .*wrong number of args for eq: want at least 1 got 0/,
    );
    const pipes = {
      'x.yaml': `${CONFIG}data: {a: "{{ .Pipes.existing }}", b: "{{ .Pipes.inexistent }}"}\n`,
      'p.yaml': 'apiVersion: v1\nkind: Pod\n',
    };
    const tasks = `${APPLY}- {name: p, kind: Pipe, spec: {pod: p.yaml, pipe: [{file: /a/b, kind: Secret, key: existing}]}}\n`;
    const { errors } = verify({ operator: OPERATOR_HEAD + tasks + DEPLOY.replace('[t]', '[p, t]'), templates: pipes });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain('inexistent');
    expect(verify({ templates: { 'x.yaml': `${CONFIG}data:\n a: b\n  c: d\n` } }).errors[0]).toMatch(
      /^parsing rendered YAML from x.yaml failed: decoding chunk/,
    );
  });

  it('reads rendered templates as a plan does: duplicate keys are warnings, not errors', () => {
    const twice = `${CONFIG}data:\n  a: x\n  a: y\n`;
    expect(verify({ templates: { 'x.yaml': twice } })).toMatchObject({
      errors: [],
      warnings: ['template x.yaml has a duplicate key "a" in one map; the last value is used'],
    });
    const forgotten = `${CONFIG}\napiVersion: v1\nkind: Secret\n`;
    expect(verify({ templates: { 'x.yaml': forgotten } })).toMatchObject({
      errors: [],
      warnings: ['apiVersion', 'kind'].map(
        (key) => `template x.yaml has a duplicate key "${key}" in one map; the last value is used`,
      ),
    });
    const windows = `${CONFIG}---\t# the next one\n${CONFIG}`.replaceAll('\n', '\r\n');
    expect(verify({ templates: { 'x.yaml': windows } })).toMatchObject({ errors: [], warnings: [] });
  });

  it('warns about objects that no plan can apply', () => {
    expect(verify({ templates: { 'x.yaml': 'apiVersion: v1\nmetadata: {name: c}\n' } }).errors).toEqual([
      'parsing rendered YAML from x.yaml failed: decoding chunk failed: it has no kind',
    ]);
    const nameless = 'kind: ConfigMap\nmetadata: {name: c}\n';
    expect(verify({ templates: { 'x.yaml': nameless } }).warnings).toEqual([
      'template x.yaml renders a ConfigMap without apiVersion',
    ]);
    const list = `apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Secret\n`;
    expect(verify({ templates: { 'x.yaml': list } }).warnings).toEqual([
      'template x.yaml gives a List, which no server keeps; write its items as documents of their own',
    ]);
  });

  it('PKG-078 PKG-079 PKG-080 only the namespace manifest contains a Namespace', () => {
    const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: n}\n';
    expect(verify({ templates: { 'x.yaml': namespace } }).errors).toEqual([
      "template \"x.yaml\" contains 'kind: Namespace' not allowed unless specified as 'NamespaceManifest'",
    ]);
    expect(verify({ templates: { 'x.yaml': `# kind: Namespace\n${CONFIG}` } }).errors).toEqual([]);
    const operator = `${OPERATOR_HEAD}namespaceManifest: ns.yaml\n${APPLY}${DEPLOY}`;
    const manifest = (text: string) => verify({ operator, templates: { 'x.yaml': CONFIG, 'ns.yaml': text } });
    expect(manifest(namespace)).toMatchObject({ errors: [], warnings: [] });
    expect(verify({ operator }).errors).toEqual(['NamespaceManifest "ns.yaml" not found in /templates folder']);
    expect(manifest('').errors).toEqual(['NamespaceManifest "ns.yaml" found but does not contain a manifest']);
    expect(manifest(CONFIG).errors).toEqual(['NamespaceManifest "ns.yaml" found but manifest is not kind: Namespace']);
    expect(manifest(`${namespace}---\n${namespace}`).errors).toEqual([
      'NamespaceManifest "ns.yaml" found but contains 2 manifests which is greater than 1',
    ]);
  });

  it('PKG-081 PKG-082 checks descriptions on demand', () => {
    const params = `groups: [{name: g, displayName: Good, description: Well said.}]\n${parameters(
      'name: P, default: a, description: lower.',
      'name: Q, default: a, description: Good., displayName: Good, hint: Good., type: string, group: g',
    )}`;
    expect(verify({ params, templates: uses('P', 'Q'), checks: 'all' })).toMatchObject({
      errors: [],
      warnings: [
        'parameter "P" has a description that does not start with a capital letter',
        'parameter "P" has no hint',
        'parameter "P" has no displayName',
        'parameter "P" has no group',
        'parameter "P" has no explicit type assigned',
      ],
    });
    expect(() => parseParameterChecks('foo')).toThrow(
      'unknown parameter check: foo, must be one of [display hint desc type hasgroup groups all]',
    );
  });

  it('a manifest in a removed API version gives a warning with the line of its apiVersion', () => {
    const budget = `# words\napiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: b}\n`;
    const { errors, all } = verify({ templates: { 'x.yaml': budget } });
    expect(errors).toEqual([]);
    expect(all).toMatchObject([
      {
        path: 'templates/x.yaml:2',
        message: expect.stringContaining('to policy/v1, because Kubernetes 1.25 removed policy/v1beta1.'),
      },
    ]);
  });

  it('reports names that no object can have, and misleading plans', () => {
    expect(
      verify({ operator: `${OPERATOR_HEAD.replace('name: a', 'name: Bad_Name')}${APPLY}${DEPLOY}` }).errors,
    ).toEqual(['operator name "Bad_Name" is not a valid name of a Kubernetes object']);
    expect(
      verify({ operator: OPERATOR_HEAD + APPLY + DEPLOY.replace('strategy: serial', 'strategy: ordered') }).warnings[0],
    ).toContain('neither "serial" nor "parallel"');
  });
});
