import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { driftOf, scaledBy, withoutReplicas } from './drift';
import { driftWords } from './drift-words';

const object = (kind: string, rest: object, apiVersion = 'v1'): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name: 'x' },
  ...rest,
});
const pods = (container: object) => ({ spec: { template: { spec: { containers: [container] } } } });
const deployment = (container: object) => object('Deployment', pods(container), 'apps/v1');

/** Applied, live, and what differs in words; empty for no drift. */
const CASES: [string, KubeObject, KubeObject, string][] = [
  ['nothing', object('ConfigMap', { data: { a: '1' } }), object('ConfigMap', { data: { a: '1' } }), ''],
  [
    'what others added',
    object('Service', { spec: { ports: [{ name: 'a', port: 1 }] } }),
    object('Service', {
      metadata: { name: 'x', annotations: { theirs: '1' }, uid: 'u' },
      spec: { clusterIP: '10.0.0.1', ports: [{ name: 'a', port: 1, protocol: 'TCP', targetPort: 1 }] },
      status: { loadBalancer: {} },
    }),
    '',
  ],
  [
    'a changed text',
    object('ConfigMap', { data: { mode: 'fast' } }),
    object('ConfigMap', { data: { mode: 'slow' } }),
    'data.mode is "slow", the last plan left "fast"',
  ],
  [
    'a key with a dot, a long text',
    object('ConfigMap', { data: { 'a.conf': 'x\ny' } }),
    object('ConfigMap', { data: { 'a.conf': 'x\nz' } }),
    'data["a.conf"] is not what the last plan left',
  ],
  [
    'a removed field',
    object('ConfigMap', { data: { a: '1', b: '2' } }),
    object('ConfigMap', { data: { a: '1' } }),
    'data.b is not set, the last plan left "2"',
  ],
  [
    'the merge key of a list',
    object('Service', { spec: { ports: [{ name: 'a', port: 5432 }] } }),
    object('Service', { spec: { ports: [{ name: 'a', port: 5433, protocol: 'TCP' }] } }),
    'spec.ports[0].port is 5433, the last plan left 5432',
  ],
  [
    'a container by name, with one injected beside it',
    deployment({ name: 'db', image: 'pg:16' }),
    object(
      'Deployment',
      { spec: { template: { spec: { containers: [{ name: 'mesh' }, { name: 'db', image: 'pg:17' }] } } } },
      'apps/v1',
    ),
    'spec.template.spec.containers[db].image is "pg:17", the last plan left "pg:16"',
  ],
  [
    'a quantity in another form',
    deployment({ name: 'db', resources: { limits: { cpu: '1000m', memory: '1024Mi' } } }),
    deployment({ name: 'db', resources: { limits: { cpu: '1', memory: '1Gi' } } }),
    '',
  ],
  [
    'another quantity',
    deployment({ name: 'db', resources: { limits: { cpu: '1' } } }),
    deployment({ name: 'db', resources: { limits: { cpu: '2' } } }),
    'spec.template.spec.containers[db].resources.limits.cpu is "2", the last plan left "1"',
  ],
  [
    'a text that looks like a quantity',
    object('ConfigMap', { data: { a: '1000m' } }),
    object('ConfigMap', { data: { a: '1' } }),
    'data.a is "1", the last plan left "1000m"',
  ],
  ['empty members', object('ConfigMap', { data: {}, immutable: false }), object('ConfigMap', {}), ''],
  ['the text of a Secret', object('Secret', { stringData: { a: 'ä' } }), object('Secret', { data: { a: 'w6Q=' } }), ''],
  [
    'another value in a Secret',
    object('Secret', { stringData: { a: 'one' } }),
    object('Secret', { data: { a: 'dHdv' } }),
    'data.a is not what the last plan left',
  ],
  [
    'a claim that has grown',
    object('PersistentVolumeClaim', { spec: { resources: { requests: { storage: '1Gi' } } } }),
    object('PersistentVolumeClaim', { spec: { resources: { requests: { storage: '2Gi' } } } }),
    '',
  ],
  [
    'labels and owners',
    object('ConfigMap', {
      metadata: {
        name: 'x',
        labels: { heritage: 'kudo' },
        ownerReferences: [{ apiVersion: 'v1', kind: 'Instance', name: 'i', uid: '1' }],
      },
    }),
    object('ConfigMap', { metadata: { name: 'x' } }),
    'metadata.labels.heritage is not set, the last plan left "kudo"; metadata.ownerReferences[Instance i] is not set, the last plan left "i"',
  ],
  [
    'the marks of another plan',
    object('ConfigMap', { metadata: { name: 'x', annotations: { 'kudo.dev/plan': 'deploy' } } }),
    object('ConfigMap', { metadata: { name: 'x', annotations: { 'kudo.dev/plan': 'update' } } }),
    '',
  ],
  [
    'a list without keys, of another length',
    object('Pod', { spec: { tolerations: [{ key: 'a' }] } }),
    object('Pod', { spec: { tolerations: [{ key: 'a' }, { key: 'b' }] } }),
    'spec.tolerations is not what the last plan left',
  ],
  [
    'a custom resource, by place',
    object('Pond', { spec: { fish: [{ name: 'carp', count: 2 }] } }, 'lab.example.org/v1'),
    object('Pond', { spec: { fish: [{ name: 'carp', count: 3, colour: 'red' }] } }, 'lab.example.org/v1'),
    'spec.fish[0].count is 3, the last plan left 2',
  ],
];

describe('drift', () => {
  it.each(CASES)('is told from %s', (_name, applied, live, words) => {
    const found = driftOf(applied, live);
    expect(driftWords(applied, found, new Set())).toBe(words);
  });

  it('shows no value of a secret parameter, nor of a field that sounds secret', () => {
    const env = (value: string) =>
      deployment({
        name: 'db',
        env: [
          { name: 'DB_PASSWORD', value },
          { name: 'URL', value: `db://${value}@x` },
        ],
      });
    const words = driftWords({ kind: 'Deployment' }, driftOf(env('hunter22'), env('other999')), new Set(['hunter22']));
    expect(words).toContain('env[DB_PASSWORD].value is not what the last plan left');
    expect(words).toContain('env[URL].value is not what the last plan left');
    expect(words).not.toMatch(/hunter22|other999/);
  });

  it('names at most four fields and counts the others', () => {
    const data = (value: string) =>
      object('ConfigMap', { data: Object.fromEntries([...'abcdef'].map((key) => [key, value])) });
    expect(driftWords({ kind: 'ConfigMap' }, driftOf(data('1'), data('2')), new Set())).toMatch(/; and 2 more$/);
  });

  it('leaves out the number of pods for what an autoscaler sizes', () => {
    const found = driftOf(
      object('Deployment', { spec: { replicas: 1, paused: true } }, 'apps/v1'),
      object('Deployment', { spec: { replicas: 3 } }, 'apps/v1'),
    );
    expect(withoutReplicas(found).map(({ path }) => path)).toEqual(['spec.paused']);
    expect(
      scaledBy(object('HorizontalPodAutoscaler', { spec: { scaleTargetRef: { kind: 'Deployment', name: 'x' } } })),
    ).toBe('Deployment/x');
    expect(scaledBy(object('HorizontalPodAutoscaler', {}))).toBeUndefined();
  });
});
