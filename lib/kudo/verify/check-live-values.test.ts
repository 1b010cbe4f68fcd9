import { describe, expect, it } from 'vitest';
import { CONFIG, OPERATOR_HEAD, parameters, verify } from './verify-fixture';

const steps = (first: string, second: string) =>
  `plans:\n  deploy:\n    strategy: serial\n    phases: [{name: p, strategy: serial, steps: [{name: one, tasks: [${first}]}, {name: two, tasks: [${second}]}]}]\n`;

const SERVICE = 'apiVersion: v1\nkind: Service\nmetadata:\n  name: "{{ .Name }}-db"\n';
const USE = `${CONFIG}data: {ip: "{{ .Objects.db.spec.clusterIP }}"}\n`;

/** Task `app` reads, task `db` applies the Service `NAME-db`. */
const checked = (said: readonly string[], { plan = steps('db', 'app'), app = USE, db = '' } = {}) => {
  const lines = said.map((line) => `  ${line}\n`).join('');
  const tasks = `tasks:\n- name: app\n  kind: Apply\n  spec: {resources: [app.yaml]}\n${lines}- name: db\n  kind: Apply\n  spec: {resources: [db.yaml]}\n${db}`;
  const { all } = verify({
    operator: OPERATOR_HEAD + tasks + plan,
    params: parameters('name: SIZE, default: "3", type: integer, trigger: deploy'),
    templates: { 'app.yaml': app, 'db.yaml': SERVICE },
  });
  return all.map(({ path, message }) => `${path} ${message}`);
};

const READ = "reads: [{id: db, kind: Service, name: '{{ .Name }}-db'}]";

describe('verifyPackage on what tasks read', () => {
  it('accepts reads and rules, and counts the parameters that they use', () => {
    const said = [
      READ.replace('}]', ', readyWhen: [\'self.spec.clusterIP != ""\'], trigger: deploy}]'),
      "rules: [{resource: app.yaml, includeWhen: ['params.SIZE > 1'], readyWhen: ['has(objects.db) && has(self.data)']}]",
    ];
    expect(checked(said)).toEqual([]);
  });

  it('names an object that a template uses and its task does not read', () => {
    const problem = 'templates/app.yaml:4 template app.yaml uses .Objects.db, which task app does not read';
    expect(checked(['x: 1'])).toContain(problem);
  });

  it('names what is missing, doubled or unknown, at its line', () => {
    const said = [
      'reads:',
      "- {id: db, kind: Service, name: '{{ .Name }}-db', trigger: mend}",
      '- {id: db, apiVersion: apps/v1, kind: "", name: "{{ .Params.COUNT }}"}',
      '- {id: a-b, kind: Pod, name: "{{"}',
      'rules:',
      '- {resource: db.yaml, includeWhen: [params.SIZE > 1]}',
      '- {resource: app.yaml}',
      "- {resource: app.yaml, includeWhen: ['self.x == 1', 'objects.other.x == 1', 'params.COUNT > 1']}",
    ];
    expect(checked(said).filter((line) => line.startsWith('operator.yaml'))).toEqual([
      'operator.yaml:9 task app reads "db" with the trigger "mend", which is no plan',
      'operator.yaml:10 task app reads an object whose "kind" is missing',
      'operator.yaml:10 task app reads an object whose id "db" has a duplicate',
      'operator.yaml:10 task app uses the parameter "COUNT", which is not defined',
      'operator.yaml:11 task app reads an object whose id "a-b" cannot be used in templates; an id has letters, digits and _',
      expect.stringMatching(
        /^operator.yaml:11 task app reads an object whose "name" is no template: .*unclosed action/,
      ),
      'operator.yaml:13 task app has a rule for "db.yaml", which is not one of its resources',
      'operator.yaml:14 task app has a rule for "app.yaml" without "includeWhen" and "readyWhen"',
      expect.stringContaining('operator.yaml:15 task app has an expression in "includeWhen" that is none: '),
      'operator.yaml:15 task app uses objects.other, which is not one of its "reads"',
      'operator.yaml:15 task app uses the parameter "COUNT", which is not defined',
    ]);
  });

  it('names a task that reads what a later step applies', () => {
    expect(checked([READ], { plan: steps('app', 'db') })).toEqual([
      'operator.yaml:8 plan "deploy" waits for itself: task app reads Service {{ .Name }}-db, which task db applies; task db begins after task app',
    ]);
    expect(checked([READ.replace('}]', ', optional: true}]')], { plan: steps('app', 'db') })).toEqual([]);
  });

  it('names tasks that read from each other, and one that reads its own object', () => {
    const db = '  reads: [{id: cm, kind: ConfigMap, name: c}]\n';
    expect(checked([READ], { plan: steps('app, db', 'db'), db })[0]).toContain(
      'task app reads Service {{ .Name }}-db, which task db applies; task db reads ConfigMap c, which task app applies',
    );
    const own = 'reads: [{id: db, kind: ConfigMap, name: c}]';
    expect(checked([own])[0]).toContain('waits for itself: task app reads ConfigMap c, which task app applies');
  });
});
