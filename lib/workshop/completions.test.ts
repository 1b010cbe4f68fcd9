import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { suggestionsAt } from './completions';
import { meaningAt } from './hover';
import type { Knowledge } from './package-names';

const name = (text: string) => ({ name: text, detail: '', description: `What ${text} means.` });

const DEPLOYMENT: JsonSchema = {
  type: 'object',
  properties: {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { type: 'object', properties: { name: { type: 'string', description: 'A name.' } } },
    spec: {
      type: 'object',
      required: ['template'],
      properties: {
        replicas: { type: 'integer', description: 'How many pods.' },
        template: {
          type: 'object',
          properties: {
            containers: {
              type: 'array',
              items: {
                type: 'object',
                properties: {
                  image: { type: 'string' },
                  imagePullPolicy: { type: 'string', enum: ['Always', 'Never'] },
                },
              },
            },
          },
        },
      },
    },
  },
};

const known: Knowledge = {
  names: {
    templates: [name('deploy.yaml'), name('service.yaml')],
    tasks: [name('deploy'), name('backup')],
    plans: [name('deploy')],
    parameters: [name('REPLICAS'), name('IMAGE')],
    groups: [name('server')],
  },
  pipes: [name('page')],
  functions: ['quote', 'default'],
  kinds: [
    { group: 'apps', version: 'v1', kind: 'Deployment' },
    { group: '', version: 'v1', kind: 'Service' },
  ],
  schemaOf: (apiVersion, kind) => (apiVersion === 'apps/v1' && kind === 'Deployment' ? DEPLOYMENT : undefined),
};

/** The place of `^` in a text. */
const placeIn = (path: string, marked: string) => {
  const offset = marked.indexOf('^');
  return { path, text: marked.slice(0, offset) + marked.slice(offset + 1), offset };
};
const labels = (path: string, marked: string) =>
  suggestionsAt(placeIn(path, marked), known)?.items.map(({ label }) => label);

describe('completion in operator.yaml and params.yaml', () => {
  it('offers the keys that the map does not have yet', () => {
    const keys = labels('operator.yaml', 'name: x\n^\noperatorVersion: "1"\n');
    expect(keys).toContain('tasks');
    expect(keys).not.toContain('name');
    expect(keys).not.toContain('operatorVersion');
    expect(labels('operator.yaml', 'tasks:\n- name: a\n  ki^\n')).toEqual(['kind', 'spec', 'reads', 'rules']);
    expect(labels('operator.yaml', 'tasks:\n  - ^\n')).toEqual(['name', 'kind', 'spec', 'reads', 'rules']);
  });

  it.each([
    ['tasks:\n- name: a\n  kind: ^\n', ['Apply', 'Delete', 'Toggle', 'Pipe', 'KudoOperator', 'Dummy']],
    ['tasks:\n- name: a\n  spec:\n    resources:\n    - ^\n', ['deploy.yaml', 'service.yaml']],
    ['tasks:\n- name: a\n  spec:\n    resources: [deploy.yaml, s^\n', ['deploy.yaml', 'service.yaml']],
    ['tasks:\n- name: a\n  spec:\n    parameter: ^\n', ['REPLICAS', 'IMAGE']],
    [
      'plans:\n  deploy:\n    phases:\n    - name: p\n      steps:\n      - name: s\n        tasks:\n        - b^\n',
      ['deploy', 'backup'],
    ],
    ['plans:\n  deploy:\n    strategy: ^\n', ['serial', 'parallel']],
  ])('offers names of the package and fixed values: %j', (text, expected) => {
    expect(labels('operator.yaml', text)).toEqual(expected);
  });

  it('offers plans and groups in params.yaml', () => {
    expect(labels('params.yaml', 'parameters:\n- name: A\n  trigger: ^\n')).toEqual(['deploy']);
    expect(labels('params.yaml', 'parameters:\n- name: A\n  group: s^\n')).toEqual(['server']);
    expect(labels('params.yaml', 'parameters:\n- name: A\n  required: ^\n')).toEqual(['true', 'false']);
  });

  it('offers nothing in comments and block texts', () => {
    expect(labels('operator.yaml', '# na^\n')).toBeUndefined();
    expect(labels('operator.yaml', 'description: >-\n  ta^\n')).toBeUndefined();
  });
});

const HEAD = 'apiVersion: apps/v1\nkind: Deployment\n';

describe('completion in templates', () => {
  it('offers the fields of the kind, whatever actions the text has', () => {
    const text = `{{- if .Params.X }}\n${HEAD}metadata:\n  name: {{ .Name }}\nspec:\n  {{- if eq .Params.Y "a: b" }}\n  ^\n  {{- end }}\n`;
    expect(labels('templates/a.yaml', text)).toEqual(['replicas', 'template']);
    const list = `${HEAD}spec:\n  template:\n    containers:\n    {{- range .Params.LIST }}\n    - image: {{ . }}\n      im^\n    {{- end }}\n`;
    expect(labels('templates/a.yaml', list)).toEqual(['imagePullPolicy']);
    expect(
      labels('templates/a.yaml', `${HEAD}spec:\n  template:\n    containers:\n    - imagePullPolicy: ^\n`),
    ).toEqual(['Always', 'Never']);
  });

  it('knows the object of each document', () => {
    expect(labels('templates/a.yaml', `${HEAD}---\napiVersion: v1\nkind: ^\n`)).toEqual(['Service']);
    expect(labels('templates/a.yaml', `kind: Service\n---\n${HEAD}spec:\n  rep^\n`)).toContain('replicas');
    expect(labels('templates/a.yaml', 'apiVersion: ^\nkind: Deployment\n')).toEqual(['apps/v1']);
  });

  it('says the type, and writes the colon', () => {
    const items = suggestionsAt(placeIn('templates/a.yaml', `${HEAD}spec:\n  ^\n`), known)?.items;
    expect(items?.[0]).toEqual({
      ...{ label: 'replicas', kind: 'key', detail: 'integer', description: 'How many pods.', apply: 'replicas: ' },
    });
    expect(items?.[1]).toMatchObject({ detail: 'object, required', apply: 'template:' });
  });

  it('offers parameters, pipes, variables and functions inside actions', () => {
    expect(labels('templates/a.yaml', 'a: {{ .Params.RE^')).toEqual(['.Params.REPLICAS', '.Params.IMAGE']);
    expect(labels('templates/a.yaml', 'a: {{ $.Params.^ }}')).toContain('$.Params.IMAGE');
    expect(labels('templates/a.yaml', 'a: {{ .Pipes.^ }}')).toEqual(['.Pipes.page']);
    expect(labels('templates/a.yaml', 'a: {{- .N^')).toContain('.Name');
    expect(labels('templates/a.yaml', 'a: {{ .Name | ^')).toContain('quote');
    expect(labels('templates/a.yaml', '{{ ^')).toContain('range');
    expect(labels('templates/a.yaml', 'a: {{ "text ^')).toBeUndefined();
  });
});

describe('hover', () => {
  const meaning = (path: string, marked: string) => meaningAt(placeIn(path, marked), known);

  it('explains keys, fields and variables', () => {
    expect(meaning('operator.yaml', 'tasks:\n- na^me: a\n')).toMatchObject({ title: 'tasks[].name', from: 9, to: 13 });
    expect(meaning('templates/a.yaml', `${HEAD}spec:\n  repl^icas: 3\n`)?.description).toBe('How many pods.');
    expect(meaning('templates/a.yaml', `${HEAD}met^adata:\n`)).toMatchObject({ title: 'metadata', detail: 'object' });
    expect(meaning('templates/a.yaml', 'a: {{ .Params.REP^LICAS }}')).toMatchObject({
      title: 'Parameter REPLICAS',
      description: 'What REPLICAS means.',
    });
    expect(meaning('templates/a.yaml', 'a: {{ .Na^me }}')?.description).toBe('The name of the Instance.');
    expect(meaning('templates/a.yaml', 'nonsense: te^xt')).toBeUndefined();
  });
});
