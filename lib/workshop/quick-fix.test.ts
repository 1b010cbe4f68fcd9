import { describe, expect, it } from 'vitest';
import { APPLY, CONFIG, DEPLOY, OPERATOR_HEAD } from '@/lib/kudo/verify/verify-fixture';
import { checkDraft } from './check-draft';
import { quickFixOf } from './quick-fix';

const draft = (change: { [path: string]: string | undefined } = {}) =>
  new Map(
    Object.entries({
      'operator.yaml': OPERATOR_HEAD + APPLY + DEPLOY,
      'params.yaml': 'parameters: []\n',
      'templates/x.yaml': CONFIG,
      ...change,
    }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

/** Presses the button of the first problem of a rule, which must exist and be gone afterwards. */
function fixed(rule: string, change: { [path: string]: string | undefined }): Map<string, string> {
  const files = draft(change);
  const problem = checkDraft(files).problems.find((each) => each.rule === rule);
  expect(problem, rule).toBeDefined();
  const after = problem === undefined ? files : (quickFixOf(problem)?.apply(files) ?? files);
  const left = checkDraft(after).problems.filter((each) => each.rule === rule && each.subject === problem?.subject);
  expect(left).toEqual([]);
  return new Map(after);
}

describe('a quick fix', () => {
  it('removes an unused parameter with its lines, and keeps comments and other parameters', () => {
    const params =
      '# All of them.\nparameters:\n  - name: A\n    default: x\n  # The second.\n  - name: B\n    default: "1"\n';
    const uses = `${CONFIG}data: {a: "{{ .Params.A }}"}\n`;
    const after = fixed('unused-parameter', { 'params.yaml': params, 'templates/x.yaml': uses });
    expect(after.get('params.yaml')).toContain('# All of them.\nparameters:\n  - name: A\n    default: x\n');
    expect(after.get('params.yaml')).not.toContain('name: B');
  });

  it('leaves an empty list when it removes the only parameter', () => {
    const after = fixed('unused-parameter', { 'params.yaml': 'parameters:\n- name: A\n  default: x\n' });
    expect(after.get('params.yaml')).toBe('parameters: []\n');
  });

  it('adds an undefined parameter to params.yaml', () => {
    const after = fixed('undefined-parameter', { 'templates/x.yaml': `${CONFIG}data: {a: "{{ .Params.SIZE }}"}\n` });
    expect(after.get('params.yaml')).toBe('parameters:\n- name: SIZE\n  type: string\n  default: ""\n');
  });

  it('creates a missing template', () => {
    const after = fixed('missing-template', { 'templates/x.yaml': undefined });
    expect(after.get('templates/x.yaml')).toContain('kind: ConfigMap');
    expect(checkDraft(after).problems).toEqual([]);
  });

  it('deletes a template that no task uses', () => {
    expect(fixed('unused-template', { 'templates/y.yaml': CONFIG }).has('templates/y.yaml')).toBe(false);
  });

  it('adds a task that a plan uses, and removes one that none uses', () => {
    const undefinedTask = OPERATOR_HEAD + APPLY + DEPLOY.replace('tasks: [t]', 'tasks: [t, u]');
    expect(fixed('undefined-task', { 'operator.yaml': undefinedTask }).get('operator.yaml')).toContain('name: u');
    const unusedTask = `${OPERATOR_HEAD}${APPLY}- {name: u, kind: Dummy}\n${DEPLOY}`;
    expect(fixed('unused-task', { 'operator.yaml': unusedTask }).get('operator.yaml')).toBe(
      OPERATOR_HEAD + APPLY + DEPLOY,
    );
  });

  it('adds a version that is missing and quotes one that is a number', () => {
    const without = OPERATOR_HEAD.replace('operatorVersion: "1.0.0"\n', '') + APPLY + DEPLOY;
    expect(fixed('missing-version', { 'operator.yaml': without }).get('operator.yaml')).toContain(
      'operatorVersion: "0.1.0"\n',
    );
    const number = `${OPERATOR_HEAD}appVersion: 1.10\n${APPLY}${DEPLOY}`;
    expect(fixed('version-as-number', { 'operator.yaml': number }).get('operator.yaml')).toContain(
      'appVersion: "1.10"\n',
    );
  });

  it('adds a group that a parameter names', () => {
    const params = 'parameters:\n- {name: A, default: x, group: g, trigger: deploy}\n';
    expect(fixed('undefined-group', { 'params.yaml': params }).get('params.yaml')).toContain('groups:\n- name: g\n');
  });

  it('creates operator.yaml and params.yaml', () => {
    expect(fixed('missing-file', { 'params.yaml': undefined }).get('params.yaml')).toContain('parameters');
  });

  it('does nothing to a file that is no YAML', () => {
    const files = draft({ 'params.yaml': 'parameters: [' });
    const problem = { file: 'params.yaml', line: 1, message: '', path: '', rule: 'undefined-parameter', subject: 'A' };
    expect(quickFixOf(problem)?.apply(files)).toBe(files);
  });
});
