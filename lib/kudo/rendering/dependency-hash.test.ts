import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { LAST_APPLIED_ANNOTATION, SKIP_HASH_ANNOTATION } from '@/lib/kudo/names';
import { canonicalText, type DependencySource, dependenciesOf, dependencyHash } from './dependency-hash';

const labels = (instance: string, operator: string) => ({
  heritage: 'kudo',
  'kudo.dev/instance': instance,
  'kudo.dev/operator': operator,
});

const config = (valueA: string, valueB: string): DependencySource => ({
  from: 'task',
  object: {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'configdata', namespace: 'default', labels: labels('depop', 'dep-operator') },
    data: { valueA, valueB },
  },
});

const X: KubeObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'cfg', namespace: 'n', labels: labels('inst', 'op') },
  data: {
    a: '1',
    b: 'true',
    c: 'line1\nline2\n',
    d: 'plain text',
    e: '',
    f: 'yes',
    g: '2020-01-01',
    h: '12:30:45',
    i: '# c',
    j: 'a: b',
    k: ' lead',
    l: '0x1F',
    m: '1.5',
    n: 'ünï',
    key10: 'x',
    key9: 'y',
    Key1: 'z',
  },
};
const Y: KubeObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'sec', namespace: 'n', labels: labels('inst', 'op') },
  type: 'Opaque',
  data: { 'foo.txt': 'Zm9v' },
};
const x: DependencySource = { from: 'task', object: X };
const y: DependencySource = { from: 'task', object: Y };

describe('dependencyHash', () => {
  it.each([
    ['HSH-05 vector a', [config('FancyValue', 'OtherFancyValue')], '6fa812afe527bdb6c9a5fbfcba8193bb'],
    ['HSH-05 vector b', [config('ChangedValue', 'OtherFancyValue')], 'da9f56a62d3c4af2596bebace008d845'],
    ['HSH-05 vector c', [config('ChangedValue', 'SecondChangedValue')], '1510654b540619228b477bdd56d44175'],
    ['HSH-12 vector d: one missing object', [undefined], '4ae71336e44bf9bf79d2752e234818a5'],
    ['HSH-12 vector e: two missing objects', [undefined, undefined], '70bc8f4b72a86921468bf8e8441dce51'],
    ['HSH-12 vector f', [x], '0f7f8984e00c9fdd29cbfefa30fdc2bd'],
    ['HSH-12 vector g', [x, y], 'd339c40cf99ddde6814abac8385c430c'],
    ['HSH-12 vector h', [x, undefined], '9be28fe982d4fc010c1f065e31469694'],
    ['HSH-12 vector i', [x, x], '7c7e935345523c6ddce9255ceace4855'],
  ])('%s is as KUDO computed it', (_id, sources, expected) => {
    expect(dependencyHash(sources as DependencySource[])).toBe(expected);
  });

  it('does not see what Go’s types drop: empty and unknown members, line breaks in base64', () => {
    const odd: KubeObject = {
      ...Y,
      metadata: { ...Y.metadata, initializers: { pending: [] } } as KubeObject['metadata'],
      data: { 'foo.txt': 'Zm9\nv\n' },
      stringData: null,
      spec: { size: 1 },
    };
    expect(dependencyHash([x, { from: 'task', object: odd }])).toBe('d339c40cf99ddde6814abac8385c430c');
    const of = (rest: object) => dependencyHash([{ from: 'task', object: { ...X, data: null, ...rest } }]);
    expect(of({ data: {}, binaryData: {} })).toBe(of({}));
    expect(of({ data: { a: null } })).toBe(of({ data: { a: '' } }));
    expect(of({ data: { a: '' } })).not.toBe(of({}));
  });

  it('HSH-03 takes what was applied last from a live object', () => {
    const live: KubeObject = {
      ...X,
      metadata: { ...X.metadata, uid: 'u', annotations: { [LAST_APPLIED_ANNOTATION]: JSON.stringify(X) } },
      data: { other: 'value' },
    };
    expect(dependencyHash([{ from: 'live', object: live }])).toBe('0f7f8984e00c9fdd29cbfefa30fdc2bd');
  });

  it('HSH-08 ignores the data of an object with the skip annotation', () => {
    const skipped = { ...X, metadata: { ...X.metadata, annotations: { [SKIP_HASH_ANNOTATION]: '' } } };
    expect(dependencyHash([{ from: 'task', object: skipped }])).toBe(dependencyHash([undefined]));
  });

  it('writes the canonical text of the reference', () => {
    const text = canonicalText(config('FancyValue', 'OtherFancyValue')?.object as unknown as JsonObject);
    expect(text).toBe(`object:
  apiVersion: ""
  data:
    valueA: FancyValue
    valueB: OtherFancyValue
  kind: ""
  metadata:
    annotations: {}
    deletionGracePeriodSeconds: 0
    finalizers: []
    labels:
      heritage: kudo
      kudo.dev/instance: depop
      kudo.dev/operator: dep-operator
    managedFields: []
    name: configdata
    ownerReferences: []
    remainingItemCount: 0
`);
  });
});

describe('dependenciesOf', () => {
  const deployment = (podSpec: JsonObject): KubeObject => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd', namespace: 'n' },
    spec: { template: { spec: podSpec } },
  });

  it('HSH-09 finds Secret volumes, ConfigMap volumes and pull secrets, ConfigMaps first', () => {
    const object = deployment({
      imagePullSecrets: [{ name: 'pull' }],
      volumes: [{ secret: { secretName: 'sec' } }, { configMap: { name: 'conf' } }],
    });
    expect(dependenciesOf(object).map(({ kind, name }) => `${kind}/${name}`)).toEqual([
      'ConfigMap/conf',
      'Secret/pull',
      'Secret/sec',
    ]);
  });

  it('HSH-10 does not count envFrom', () => {
    expect(dependenciesOf(deployment({ containers: [{ envFrom: [{ configMapRef: { name: 'c' } }] }] }))).toEqual([]);
  });
});
