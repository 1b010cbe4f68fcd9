import { expect, it } from 'vitest';
import { APPLY, CONFIG, DEPLOY, OPERATOR_HEAD } from '@/lib/kudo/verify/verify-fixture';
import { checkDraft } from './check-draft';

const USES = `${CONFIG}data: {a: "{{ .Params.A }}"}\n`;
const draft = (template: string, value = 'x') =>
  new Map([
    ['operator.yaml', OPERATOR_HEAD + APPLY + DEPLOY],
    ['params.yaml', `parameters:\n- {name: A, default: ${value}}\n`],
    ['templates/x.yaml', template],
  ]);

it('finds the same with the renderings of an earlier check as without', () => {
  const renderings = new Map();
  const broken = `${CONFIG}data: {{ .Params.A }}\n`;
  for (const files of [draft(USES), draft(broken), draft(broken, '"{}"'), draft(USES), draft(`${USES}---\na: 1\n`)]) {
    expect(checkDraft(files, renderings)).toEqual(checkDraft(files));
    expect(renderings.size).toBe(1);
  }
});

it('says rule, file and line, errors before warnings', () => {
  const { problems } = checkDraft(draft(`${CONFIG}data: {a: "{{ .Params.B }}"}\n`));
  expect(problems.map(({ severity, rule, path }) => `${severity} ${rule} ${path}`)).toEqual([
    'error undefined-parameter templates/x.yaml:4',
    'warning unused-parameter params.yaml:2',
  ]);
});

it('does not call a parameter unused while a template cannot be read', () => {
  const { problems } = checkDraft(draft(`${CONFIG}data: {a: "{{ .Params.A"}\n`));
  expect(problems.map(({ rule }) => rule)).toEqual(['templates']);
});

it('has the problems of a file that is no YAML, and no objects', () => {
  const { problems, objects } = checkDraft(new Map([...draft(USES), ['params.yaml', 'parameters: [']]));
  expect(problems.map(({ rule, file }) => `${rule} ${file}`)).toEqual(['syntax params.yaml']);
  expect(objects).toBeUndefined();
});
