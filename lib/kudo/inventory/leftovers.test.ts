import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { leftoversAmong } from './leftovers';
import { renderedNames } from './rendered-names';

const configMap = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;
const version: OperatorVersion = {
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'OperatorVersion',
  metadata: { name: 'o-1', namespace: 'n' },
  spec: {
    operator: { name: 'o' },
    version: '1',
    templates: {
      'a.yaml': configMap('{{ .Name }}-a'),
      'off.yaml': configMap('{{ .Name }}-off'),
      'gone.yaml': configMap('{{ .Name }}-gone'),
      'stamp.yaml': configMap('{{ .Name }}-{{ randAlphaNum 6 | lower }}'),
      'extra.yaml': `{{ if eq .Params.EXTRA "true" }}\n${configMap('{{ .Name }}-extra')}{{ end }}`,
      'pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: i}]}\n',
    },
    tasks: [
      { name: 'all', kind: 'Apply', spec: { resources: ['a.yaml', 'extra.yaml'] } },
      { name: 'toggle', kind: 'Toggle', spec: { resources: ['off.yaml'], parameter: 'OFF' } },
      { name: 'clear', kind: 'Delete', spec: { resources: ['gone.yaml'] } },
      { name: 'stamp', kind: 'Apply', spec: { resources: ['stamp.yaml'] } },
      { name: 'pipe', kind: 'Pipe', spec: { pod: 'pod.yaml', pipe: [{ file: '/f', kind: 'ConfigMap', key: 'file' }] } },
      { name: 'child', kind: 'KudoOperator', spec: { package: 'zookeeper' } },
    ],
    parameters: [
      { name: 'EXTRA', default: 'false' },
      { name: 'OFF', default: 'false' },
    ],
    plans: {
      deploy: { phases: [{ name: 'p', steps: [{ name: 's', tasks: ['all', 'toggle', 'clear', 'pipe', 'child'] }] }] },
      backup: { phases: [{ name: 'p', steps: [{ name: 's', tasks: ['stamp'] }] }] },
    },
  },
};
const instance = (parameters: { [name: string]: string } = {}): Instance => ({
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'Instance',
  metadata: { name: 'i', namespace: 'n', uid: 'u' },
  spec: { operatorVersion: { name: 'o-1' }, parameters },
});
const object = (name: string, place = 'deploy', kind = 'ConfigMap', apiVersion = 'v1'): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name, annotations: { 'kudo.dev/plan': place, 'kudo.dev/phase': 'p', 'kudo.dev/step': 's' } },
});

const leftovers = (objects: KubeObject[], parameters: { [name: string]: string } = {}) => {
  const names = renderedNames(version, instance(parameters), () => 'namespaced');
  return leftoversAmong(objects, names, undefined).map(({ metadata }) => metadata.name);
};

describe('what is left over', () => {
  it('is known after one rendering of each plan, and after two of those that ask for chance or time', () => {
    const kinds: string[] = [];
    const scopeOf = (_: string, kind: string) => {
      kinds.push(kind);
      return 'namespaced' as const;
    };
    const { volatile } = renderedNames(version, instance(), scopeOf);
    // Of deploy the three ConfigMaps and the pipe's pod, of backup the stamp under two names.
    expect(kinds.sort()).toEqual([...Array(5).fill('ConfigMap'), 'Pod']);
    expect([...volatile]).toEqual(['backup/p/s ConfigMap']);
  });

  it('is known without making the keys that templates ask for', () => {
    const keys = configMap('{{ .Name }}-a').replace('\n', '\ndata: {k: {{ genPrivateKey "rsa" | quote }}}\n');
    const templates = { ...version.spec?.templates, 'a.yaml': keys };
    const { user } = process.cpuUsage();
    const names = renderedNames({ ...version, spec: { ...version.spec, templates } }, instance(), () => 'namespaced');
    // One key of 4,096 bits takes longer than this; who asks for names would be at a standstill.
    expect(process.cpuUsage().user - user).toBeLessThan(1_500_000);
    expect(names.problems).toEqual([]);
    expect([...names.keys]).toContain('/ConfigMap/i-a');
  });

  it('is what a parameter turned off, a toggle took away and a task deletes', () => {
    const objects = [object('i-a'), object('i-extra'), object('i-off'), object('i-gone')];
    expect(leftovers(objects)).toEqual(['i-extra', 'i-off', 'i-gone']);
    expect(leftovers(objects, { EXTRA: 'true', OFF: 'true' })).toEqual(['i-gone']);
  });

  it('is not what pipes make, what is a child, and what a plan makes under ever new names', () => {
    const child = object('i-zookeeper', 'deploy', 'Instance', 'kudo.dev/v1beta1');
    const objects = [
      object('i.deploy.p.s.pipe.file'),
      child,
      object('i-k3x9zz', 'backup'),
      object('i-k3x9zz', 'deploy'),
    ];
    expect(leftovers(objects)).toEqual(['i-k3x9zz']);
  });

  it('is not what is on its way out, nor what the last plans left', () => {
    const leaving = object('i-extra');
    leaving.metadata.deletionTimestamp = '2026-01-01T00:00:00Z';
    expect(leftovers([leaving])).toEqual([]);
    const names = renderedNames(version, instance(), () => 'namespaced');
    const entry = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: 'i-extra',
      phase: 'p',
      step: 's',
      task: 't',
      digest: '',
    };
    const inventory = { runs: [{ plan: 'deploy', uid: 'u', startedAt: '', objects: [entry] }] };
    expect(leftoversAmong([object('i-extra')], names, inventory)).toEqual([]);
  });

  it('names the template that cannot be rendered, because then nobody knows', () => {
    const broken = {
      ...version,
      spec: { ...version.spec, templates: { ...version.spec?.templates, 'a.yaml': '{{ fail "no" }}' } },
    };
    expect(renderedNames(broken, instance(), () => 'namespaced').problems[0]).toContain('deploy, task all');
  });
});
