import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { renderConverted } from '../manifests/render-converted-fixture';
import { parsePackage } from '../package/parse-package';
import type { PackageFiles } from '../package/types';
import { verifyPackage } from '../verify/verify';
import { flattenPackage } from './flatten';
import { digestOfPackage, readBaseLock, writeBaseLock } from './lock';
import { bestBase, RangeProblem } from './versions';

const BASE: PackageFiles = new Map([
  [
    'operator.yaml',
    `name: db
operatorVersion: 1.1.0
appVersion: 16.9.0
kubernetesVersion: 1.25.0
selfHeal: true
tasks:
  - {name: config, kind: Apply, spec: {resources: [config.yaml]}}
  - {name: server, kind: Apply, spec: {resources: [server.yaml]}}
plans:
  deploy:
    strategy: serial
    phases:
      - name: main
        strategy: serial
        steps:
          - {name: config, tasks: [config]}
          - {name: server, tasks: [server]}
  backup:
    strategy: serial
    phases: [{name: main, strategy: serial, steps: [{name: run, tasks: [config]}]}]
`,
  ],
  [
    'params.yaml',
    `groups: [{name: size}]
parameters:
  - {name: REPLICAS, type: integer, default: "1", description: Pods., group: size}
  - {name: MODE, type: string, default: fast}
  - {name: OWNER, type: string}
`,
  ],
  [
    'templates/config.yaml',
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Name }}"}\ndata: {mode: "{{ .Params.MODE }}", owner: "{{ .Params.OWNER }}"}\n',
  ],
  [
    'templates/server.yaml',
    `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: "{{ .Name }}"}
spec:
  replicas: {{ .Params.REPLICAS }}
  selector: {matchLabels: {app: "{{ .Name }}"}}
  template:
    metadata: {labels: {app: "{{ .Name }}"}}
    spec:
      containers: [{name: db, image: "db:16.9"}, {name: exporter, image: "exporter:1"}]
`,
  ],
]);

const OWN = (changes: { operator?: string; params?: string; templates?: [string, string][] } = {}): PackageFiles =>
  new Map([
    [
      'operator.yaml',
      `extends: {operator: db, version: ">=16 <17"}
name: team-db
operatorVersion: 0.1.0
${changes.operator ?? ''}`,
    ],
    ['params.yaml', changes.params ?? 'parameters: []\n'],
    ...(changes.templates ?? []),
  ]);

function flatten(own: PackageFiles): PackageFiles {
  const result = flattenPackage({ files: own, name: 'team-db-0.1.0' }, { files: BASE, name: 'db-16.9.0-1.1.0' });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.files;
}

function conflictsOf(own: PackageFiles): string[] {
  const result = flattenPackage({ files: own, name: 'team-db-0.1.0' }, { files: BASE, name: 'db-16.9.0-1.1.0' });
  return result.ok ? [] : result.problems.map(({ path, message }) => `${path}: ${message}`);
}

function packageOf(files: PackageFiles) {
  const parsed = parsePackage(files);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.package;
}

const rendered = (files: PackageFiles, parameters: { [name: string]: string } = {}): KubeObject[] =>
  renderConverted(files, { name: 'one', namespace: 'n', parameters });

const ADDITIONS = {
  operator: `tasks:
  - {name: notify, kind: Apply, spec: {resources: [notify.yaml]}}
steps:
  - {plan: deploy, phase: main, before: server, step: {name: prepare, tasks: [notify]}}
  - {plan: deploy, phase: main, after: server, step: {name: notify, tasks: [notify]}}
  - {plan: backup, phase: main, step: {name: last, tasks: [notify]}}
plans:
  drill: {strategy: serial, phases: [{name: main, strategy: serial, steps: [{name: run, tasks: [notify]}]}]}
patches:
  - template: server.yaml
    kind: StatefulSet
    name: "{{ .Name }}"
    strategic:
      spec: {template: {spec: {containers: [{name: db, resources: {requests: {memory: "{{ .Params.MEMORY }}"}}}]}}}
  - template: server.yaml
    kind: StatefulSet
    json:
      - {op: replace, path: /spec/replicas, value: "{{ .Params.PODS }}"}
      - {op: remove, path: /spec/template/spec/containers/1}
`,
  params: `parameters:
  - {name: MODE, default: safe, hidden: true}
  - {name: OWNER, default: team}
  - {name: MEMORY, type: string, default: 1Gi}
  - {name: PODS, type: integer, default: "3"}
`,
  templates: [
    ['templates/notify.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Name }}-notify"}\n'],
  ] as [string, string][],
};

describe('a package that extends another one', () => {
  const files = flatten(OWN(ADDITIONS));

  it('has the tasks, plans and templates of both, steps in their places, and its own name and versions', () => {
    const { operator, templates } = packageOf(files);
    expect(operator).toMatchObject({ name: 'team-db', operatorVersion: '0.1.0', appVersion: '16.9.0', selfHeal: true });
    const steps = (plan: string) => operator.plans[plan]?.phases?.[0]?.steps?.map(({ name }) => name);
    expect(steps('deploy')).toEqual(['config', 'prepare', 'server', 'notify']);
    expect(steps('backup')).toEqual(['run', 'last']);
    expect(steps('drill')).toEqual(['run']);
    expect([...templates.keys()]).toEqual(['config.yaml', 'notify.yaml', 'server.yaml']);
    expect(verifyPackage(packageOf(files)).errors).toEqual([]);
  });

  it('changes, adds and hides parameters', () => {
    const { parameters, groups } = packageOf(files);
    expect(parameters.map(({ name, default: value }) => [name, value])).toEqual([
      ['REPLICAS', '1'],
      ['MODE', 'safe'],
      ['OWNER', 'team'],
      ['MEMORY', '1Gi'],
      ['PODS', '3'],
    ]);
    expect(parameters[0]).toMatchObject({ description: 'Pods.', group: 'size' });
    expect(parameters[1]).toMatchObject({ enum: ['safe'], immutable: true, advanced: true });
    expect(groups).toEqual([{ name: 'size' }]);
  });

  it('patches objects after they are rendered, with parameters', () => {
    const server = rendered(files, { PODS: '5', MEMORY: '2Gi' }).find(({ kind }) => kind === 'StatefulSet');
    expect(server?.spec).toMatchObject({
      replicas: 5,
      template: {
        spec: { containers: [{ name: 'db', image: 'db:16.9', resources: { requests: { memory: '2Gi' } } }] },
      },
    });
  });

  it('may be extended itself', () => {
    const again = flattenPackage(
      { files: OWN({ params: 'parameters: [{name: PODS, default: "7"}]\n' }), name: 'third' },
      { files, name: 'second' },
    );
    const third = again.ok ? again.files : new Map();
    expect(rendered(third).find(({ kind }) => kind === 'StatefulSet')?.spec).toMatchObject({ replicas: 7 });
  });
});

describe('conflicts with the base', () => {
  const step = (text: string) => conflictsOf(OWN({ operator: `steps:\n  - ${text}\n` }));

  it('name the line of the extending file and of the base', () => {
    expect(step('{plan: deploy, phase: main, after: absent, step: {name: x, tasks: []}}')).toEqual([
      'operator.yaml:5: The phase main of the plan deploy has no step "absent". It has: config, server. (db-16.9.0-1.1.0, operator.yaml:13)',
    ]);
    expect(step('{plan: none, phase: main, step: {name: x}}')[0]).toContain('no plan "none". It has: deploy, backup.');
    expect(step('{plan: deploy, phase: x, step: {name: x}}')[0]).toContain('no phase "x". It has: main.');
    expect(step('{plan: deploy, phase: main, step: {name: server}}')[0]).toContain(
      '(db-16.9.0-1.1.0, operator.yaml:17)',
    );
    expect(step('{plan: deploy, phase: main, before: a, after: b, step: {name: x}}')[0]).toContain(
      'either before or after',
    );
    expect(step('{plan: deploy, phase: main}')[0]).toContain('"step" needs a name');
    expect(step('text')[0]).toContain('must be a map');
  });

  it('are names that both have', () => {
    const operator = 'tasks: [{name: server, kind: Dummy, spec: {}}]\nplans: {backup: {phases: []}}\n';
    expect(conflictsOf(OWN({ operator }))).toEqual([
      'operator.yaml:4: The base has a task server too. Give yours another name. (db-16.9.0-1.1.0, operator.yaml:8)',
      'operator.yaml:5: The base has a plan backup too. Add steps to it with "steps", or give yours another name. (db-16.9.0-1.1.0, operator.yaml:18)',
    ]);
    expect(conflictsOf(OWN({ templates: [['templates/server.yaml', '']] }))[0]).toContain(
      'templates/server.yaml:1: The base',
    );
    expect(conflictsOf(OWN({ params: 'parameters:\n  - {name: MODE, type: integer}\n' }))).toEqual([
      'params.yaml:2: The base has a parameter MODE of the type string too. Give yours another name. (db-16.9.0-1.1.0, params.yaml:4)',
    ]);
  });

  it('are hidden parameters without a default, and ones that the base does not have', () => {
    const params = 'parameters:\n  - {name: OWNER, hidden: true}\n  - {name: NEW, hidden: true}\n';
    const [first, second] = conflictsOf(OWN({ params }));
    expect(first).toContain('params.yaml:2: The parameter OWNER cannot be hidden without a default.');
    expect(second).toContain('params.yaml:3: The base has no parameter NEW');
  });

  it('are patches without an object, and patches that no longer apply', () => {
    const patch = (text: string) =>
      verifyPackage(
        packageOf(
          flatten(OWN({ operator: `patches:\n  - ${text}\n`, params: 'parameters: [{name: OWNER, default: a}]\n' })),
        ),
      ).errors.map(({ message }) => message);
    expect(patch('{template: absent.yaml, kind: X, strategic: {}}')).toEqual([
      'patch: there is no template "absent.yaml"',
    ]);
    expect(patch('{template: server.yaml, kind: Deployment, strategic: {}}')).toEqual([
      'patch: the template "server.yaml" gives no Deployment',
    ]);
    expect(patch('{template: server.yaml, kind: StatefulSet, json: [{op: remove, path: /spec/absent}]}')[0]).toContain(
      'does not apply',
    );
    expect(patch('{template: server.yaml, kind: StatefulSet, strategic: {a: "{{ .Params.NO }}"}}')[0]).toContain('NO');
  });
});

describe('the version of the base', () => {
  const versions = ['15.1', '16.2', '16.9', '17.0'].map((appVersion) => ({ appVersion, operatorVersion: '1.0.0' }));

  it('is the best one of the range', () => {
    expect(bestBase(versions, { operator: 'db', version: '>=16 <17' })?.appVersion).toBe('16.9');
    expect(bestBase(versions, { operator: 'db' })?.appVersion).toBe('17.0');
    expect(bestBase(versions, { operator: 'db', version: '>=18' })).toBeUndefined();
    expect(bestBase(versions, { operator: 'db', operatorVersion: '2.x' })).toBeUndefined();
    expect(
      bestBase([{ appVersion: '', operatorVersion: '2.1.0' }], { operator: 'db', version: '^2' })?.operatorVersion,
    ).toBe('2.1.0');
    expect(() => bestBase(versions, { operator: 'db', version: 'new' })).toThrow(RangeProblem);
  });

  it('is in the lock, with a digest that a file more or less does not change', () => {
    const lock = { operator: 'db', operatorVersion: '1.0.0', appVersion: '16.9', digest: digestOfPackage(BASE) };
    expect(readBaseLock(new Map([['extends.lock.yaml', writeBaseLock(lock)]]))).toEqual(lock);
    expect(digestOfPackage(new Map([...BASE, ['README.yaml', 'x']]))).toBe(lock.digest);
    expect(digestOfPackage(new Map([...BASE, ['templates/x.yaml', 'x']]))).not.toBe(lock.digest);
    expect(readBaseLock(new Map([['extends.lock.yaml', 'operator: db\n']]))).toBeUndefined();
  });
});
