import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import type { Instance, OperatorVersion, Task } from '@/lib/kudo/types';
import { seededRandom } from '@/lib/random/random';
import { decodeObjects } from './decode';
import { enhance } from './enhance';
import { pipeNames } from './pipe-names';
import { type RenderInput, renderPlan, renderTask } from './render';

const version = (templates: { [name: string]: string }, tasks: Task[] = []): OperatorVersion => ({
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'OperatorVersion',
  metadata: { name: 'op-1', namespace: 'n' },
  spec: {
    operator: { name: 'op' },
    version: '1',
    appVersion: '9',
    templates,
    tasks,
    plans: { deploy: { phases: [{ name: 'p', steps: [{ name: 's', tasks: tasks.map(({ name }) => name) }] }] } },
  },
});
const instance: Instance = {
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'Instance',
  metadata: { name: 'inst', namespace: 'n', uid: 'u' },
};
const input = (operatorVersion: OperatorVersion): RenderInput => ({
  operatorVersion,
  instance,
  plan: 'deploy',
  phase: 'p',
  step: 's',
  uid: 'run',
  parameters: { A: 'a' },
  pipes: { key: 'artifact' },
  scopeOf: (_apiVersion, kind) => (kind === 'ClusterRole' ? 'cluster' : kind === 'Odd' ? undefined : 'namespaced'),
  environment: { clock: { now: () => 0 }, random: seededRandom('run') },
});
const config = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Name }}\ndata: {a: "{{ .Params.A }}"}\n';
const applyAll = (...resources: string[]): Task => ({ name: 't', kind: 'Apply', spec: { resources } });

describe('renderTask', () => {
  it('gives every variable to templates', () => {
    const text = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata:\n  all: "{{ .Name }} {{ .Namespace }} {{ .OperatorName }} {{ .OperatorVersion }} {{ .AppVersion }} {{ .PlanName }} {{ .PhaseName }} {{ .StepName }} {{ .Pipes.key }} {{ .Params.A }}"\n`;
    const { objects } = renderTask(input(version({ 'x.yaml': text })), applyAll('x.yaml'));
    expect(objects[0]?.data).toEqual({ all: 'inst n op 1 9 deploy p s artifact a' });
  });

  it('T-13 keeps the order of the list and takes a name that occurs twice once', () => {
    const other = config.replace('{{ .Name }}', 'other');
    const { objects } = renderTask(input(version({ b: config, a: other })), applyAll('b', 'a', 'b'));
    expect(objects.map(({ metadata }) => metadata.name)).toEqual(['inst', 'other']);
  });

  it.each([
    ['APL-03 RND-06 an unknown template', {}, 'the operator has no template x.yaml'],
    ['CTL-37 an undefined parameter', { 'x.yaml': '{{ .Params.NOPE }}' }, 'cannot be rendered'],
    ['RND-11 a document without kind', { 'x.yaml': 'apiVersion: v1\n' }, 'without kind'],
    ['RND-11 a text that is no YAML', { 'x.yaml': '"' }, 'no valid YAML'],
  ])('%s ends in TaskRenderingError', (_what, templates, message) => {
    expect(() => renderTask(input(version(templates)), applyAll('x.yaml'))).toThrow(message);
  });

  it('leaves out what is null in a built-in object, as KUDO’s types did', () => {
    const claim =
      'kind: PersistentVolumeClaim\nmetadata: {name: c}\nspec: {storageClassName: null, a: [{b: null, c: 1}]}\n';
    const [object] = renderTask(input(version({ 'x.yaml': `apiVersion: v1\n${claim}` })), applyAll('x.yaml')).objects;
    expect(object?.spec).toEqual({ a: [{ c: 1 }] });
  });

  it.each([
    [
      'the data of a ConfigMap',
      'ConfigMap',
      'metadata: {name: c}\ndata: {a: null, b: x}\n',
      { data: { a: '', b: 'x' } },
    ],
    ['texts of a Secret', 'Secret', 'metadata: {name: c}\nstringData: {a: null}\n', { stringData: { a: '' } }],
    ['the bytes of a Secret, which stay', 'Secret', 'metadata: {name: c}\ndata: {a: null}\n', { data: { a: null } }],
    ['labels', 'Secret', 'metadata: {name: c, labels: {a: null}}\n', { metadata: { labels: { a: '' } } }],
    ['a selector', 'Service', 'metadata: {name: c}\nspec: {selector: {a: null}}\n', { spec: { selector: { a: '' } } }],
    [
      'the labels of a pod',
      'ReplicationController',
      'metadata: {name: c}\nspec: {replicas: null, template: {metadata: {annotations: {a: null}}}}\n',
      { spec: { template: { metadata: { annotations: { a: '' } } } } },
    ],
  ])('takes null for the empty text in maps of texts, as KUDO’s types did: %s', (_what, kind, text, expected) => {
    const source = version({ 'x.yaml': `apiVersion: v1\nkind: ${kind}\n${text}` });
    const [object] = renderTask(input(source), applyAll('x.yaml')).objects;
    expect(object).toMatchObject(expected);
    expect(JSON.stringify(object)).not.toContain('replicas');
  });

  it('refuses an object without a name, and names one with generateName once for an execution', () => {
    const object = (metadata: string) =>
      version({ 'x.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: ${metadata}\n` });
    const nameIn = (uid: string) =>
      renderTask({ ...input(object('{generateName: run-}')), uid }, applyAll('x.yaml')).objects[0]?.metadata.name;
    expect(() => renderTask(input(object('{}')), applyAll('x.yaml'))).toThrow('a ConfigMap without a name');
    expect(nameIn('one')).toMatch(/^run-[a-z0-9]{5}$/);
    expect([nameIn('one'), nameIn('two')]).toEqual([nameIn('one'), expect.not.stringMatching(nameIn('one') ?? '')]);
  });

  it('APL-07 refuses a kind that the cluster does not know', () => {
    const odd = { 'x.yaml': 'apiVersion: x.io/v1\nkind: Odd\nmetadata: {name: o}\n' };
    expect(() => renderTask(input(version(odd)), applyAll('x.yaml'))).toThrow('does not know the kind Odd');
  });

  it('moves API versions that are gone, with a warning', () => {
    const budget =
      'apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: b}\nspec: {minAvailable: 1}\n';
    const { objects, warnings } = renderTask(input(version({ 'x.yaml': budget })), applyAll('x.yaml'));
    expect([objects[0]?.apiVersion, warnings.length]).toEqual(['policy/v1', 1]);
  });

  it('previews a whole plan, problems included', () => {
    const tasks = [applyAll('good'), { name: 'bad', kind: 'Apply', spec: { resources: ['nowhere'] } }];
    const { phase: _p, step: _s, pipes: _k, ...whole } = input(version({ good: config }, tasks));
    expect(renderPlan(whole).map(({ task, problem }) => [task.name, problem])).toEqual([
      ['t', undefined],
      ['bad', 'the operator has no template nowhere'],
    ]);
  });
});

describe('decodeObjects', () => {
  it.each([
    ['RND-08 two documents', 'apiVersion: v1\nkind: A\n---\napiVersion: v1\nkind: B\n', ['A', 'B']],
    ['RND-09 a separator inside a block', 'apiVersion: v1\nkind: A\nx: |\n  a\n  ---\n  b\n', ['A']],
    ['RND-10 nothing', '\n# only this\n---\n  \n', []],
    ['a leading separator', '---\napiVersion: v1\nkind: A\n', ['A']],
    ['RND-12 an unknown kind', 'apiVersion: x.io/v1\nkind: Thing\n', ['Thing']],
  ])('%s is read', (_what, text, kinds) => {
    expect(decodeObjects('t', text).map(({ kind }) => kind)).toEqual(kinds);
  });
});

describe('enhance', () => {
  const mark = (object: JsonObject) =>
    enhance(
      { metadata: { name: 'x' }, ...object } as unknown as KubeObject,
      { ...input(version({})), operatorVersion: version({}) },
      input(version({})).scopeOf,
    );
  const labels = { heritage: 'kudo', 'kudo.dev/operator': 'op', 'kudo.dev/instance': 'inst' };

  it('APL-20 APL-21 moves a namespaced object to the Instance and gives it its owner', () => {
    const { metadata } = mark({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', namespace: 'other' } });
    expect([metadata.namespace, metadata.ownerReferences]).toEqual([
      'n',
      [
        {
          apiVersion: 'kudo.dev/v1beta1',
          kind: 'Instance',
          name: 'inst',
          uid: 'u',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    ]);
  });

  it('gives an object that is to be kept the namespace and labels of the Instance, and no owner', () => {
    const keep = (value: string) =>
      mark({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'x', annotations: { 'bravo.kudo.dev/keep': value } },
      });
    const { metadata } = keep('true');
    expect([metadata.namespace, metadata.ownerReferences]).toEqual(['n', undefined]);
    expect(metadata.labels).toEqual(labels);
    expect(keep('false').metadata.ownerReferences).toHaveLength(1);
  });

  it('APL-22 gives a cluster-scoped object neither namespace nor owner', () => {
    const { metadata } = mark({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' });
    expect([metadata.namespace, metadata.ownerReferences]).toEqual([undefined, undefined]);
  });

  it('APL-23 labels a StatefulSet, its pods and its claims, and keeps labels that are there', () => {
    const claims = [{ metadata: { labels: { own: 'yes' } } }, {}];
    const set = mark({ apiVersion: 'apps/v1', kind: 'StatefulSet', spec: { volumeClaimTemplates: claims } });
    expect(set.spec).toMatchObject({
      template: { metadata: { labels, annotations: { 'kudo.dev/operator-version': '1' } } },
      volumeClaimTemplates: [{ metadata: { labels: { ...labels, own: 'yes' } } }, { metadata: { labels } }],
    });
  });

  it('APL-24 labels the pods of a CronJob and leaves its jobs alone', () => {
    const { spec } = mark({ apiVersion: 'batch/v1', kind: 'CronJob', spec: { jobTemplate: { spec: {} } } });
    expect(spec).toMatchObject({ jobTemplate: { spec: { template: { metadata: { labels } } } } });
    expect(spec).not.toHaveProperty('jobTemplate.metadata');
  });

  it('APL-25 invents no pod template in other kinds', () => {
    expect(mark({ apiVersion: 'x.io/v1', kind: 'Thing' }).spec).toBeUndefined();
  });
});

describe('pipeNames', () => {
  const pipe = (name: string, key: string): Task => ({
    name,
    kind: 'Pipe',
    spec: { pipe: [{ key, kind: 'Secret', file: '/a' }] },
  });
  const plan = { phases: [{ name: 'first', steps: [{ name: 'step', tasks: ['gen_files'] }] }] };

  it('CTL-33 PIP-04 PIP-05 names artifacts after their place, in small letters and digits', () => {
    expect(pipeNames('Foo-Instance', 'deploy', plan, [pipe('gen_files', 'Foo')])).toEqual({
      Foo: 'fooinstance.deploy.first.step.genfiles.foo',
    });
  });

  it('CTL-34 is empty for a plan without pipes', () => {
    expect(pipeNames('i', 'deploy', plan, [])).toEqual({});
  });

  it('CTL-35 inverted (T-02): a key that occurs twice ends the plan', () => {
    const twice = { phases: [{ name: 'p', steps: [{ name: 's', tasks: ['a', 'b'] }] }] };
    expect(() => pipeNames('i', 'deploy', twice, [pipe('a', 'k'), pipe('b', 'k')])).toThrow('the pipe key "k" twice');
  });
});
