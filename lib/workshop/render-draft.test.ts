import { describe, expect, it } from 'vitest';
import { CONFIG, DEPLOY, OPERATOR_HEAD } from '@/lib/kudo/verify/verify-fixture';
import { checkDraft } from './check-draft';
import { renderDraft } from './render-draft';

const TASKS = 'tasks:\n- {name: t, kind: Apply, spec: {resources: [x.yaml, y.yaml]}}\n';

function rendered(templates: { [key: string]: string }, parameters = {}) {
  const files = new Map([
    ['operator.yaml', OPERATOR_HEAD + TASKS + DEPLOY],
    ['params.yaml', 'parameters:\n- {name: SIZE, type: integer, default: 3}\n- {name: PASSWORD, required: false}\n'],
    ...Object.entries(templates).map(([key, text]): [string, string] => [`templates/${key}`, text]),
  ]);
  const version = checkDraft(files).objects?.operatorVersion;
  if (version === undefined) throw new Error('The package cannot be read.');
  return renderDraft(version, { plan: 'deploy', instance: 'one', namespace: 'demo', parameters });
}

describe('the rendering of a draft', () => {
  it('gives the objects of each template as the plan applies them', () => {
    const { templates } = rendered({ 'x.yaml': `${CONFIG}data: {size: "{{ .Params.SIZE }}"}\n`, 'y.yaml': CONFIG });
    expect(templates.map(({ step, task, template }) => [step, task, template])).toEqual([
      ['s', 't', 'x.yaml'],
      ['s', 't', 'y.yaml'],
    ]);
    const yaml = templates[0]?.objects[0]?.yaml ?? '';
    expect(yaml).toContain('size: "3"');
    expect(yaml).toContain('kudo.dev/instance: one');
    expect(yaml).toContain('namespace: demo');
  });

  it('uses the values that were entered, and masks secret ones', () => {
    const x = `${CONFIG}data: {size: "{{ .Params.SIZE }}", raw: "{{ .Params.PASSWORD }}", b64: "{{ .Params.PASSWORD | b64enc }}"}\n`;
    const { templates } = rendered({ 'x.yaml': x, 'y.yaml': CONFIG }, { SIZE: '5', PASSWORD: 'canary-1' });
    const yaml = templates[0]?.objects[0]?.yaml ?? '';
    expect(yaml).toContain('size: "5"');
    expect(yaml).not.toContain('canary-1');
    expect(yaml).not.toContain(btoa('canary-1'));
  });

  it('says the line of an error, and renders the other templates', () => {
    const { templates } = rendered({ 'x.yaml': `${CONFIG}data:\n  a: {{ fail "no" }}\n`, 'y.yaml': CONFIG });
    expect(templates[0]?.problem).toMatchObject({ line: 5 });
    expect(templates[0]?.problem?.message).toContain('no');
    expect(templates[1]?.objects).toHaveLength(1);
  });

  it('shows the text of a template that gives no YAML, and its line', () => {
    const { templates } = rendered({ 'x.yaml': `${CONFIG}---\n${CONFIG}data:\n  a\n  b: 1\n`, 'y.yaml': CONFIG });
    const { line, text = '', textLine = 0 } = templates[0]?.problem ?? {};
    expect(line).toBe(0);
    expect(text.split('\n')[textLine - 1]).toBe('  a');
  });

  it('says which parameter is wrong', () => {
    const { templates, problems } = rendered({ 'x.yaml': CONFIG, 'y.yaml': CONFIG }, { SIZE: 'many' });
    expect(templates).toEqual([]);
    expect(problems.map(({ field }) => field)).toEqual(['SIZE']);
  });

  it('is the same each time, random values included', () => {
    const x = `${CONFIG}data: {a: {{ randAlphaNum 20 }}}\n`;
    expect(rendered({ 'x.yaml': x, 'y.yaml': CONFIG })).toEqual(rendered({ 'x.yaml': x, 'y.yaml': CONFIG }));
  });
});
