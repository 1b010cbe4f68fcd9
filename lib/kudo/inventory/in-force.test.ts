import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { isInForce } from './in-force';

const object = (kind: string, apiVersion: string, rest: JsonObject): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name: 'db', labels: { app: 'db' } },
  ...rest,
});
const set = (container: JsonObject, claim: JsonObject = {}): KubeObject =>
  object('StatefulSet', 'apps/v1', {
    spec: {
      template: { spec: { containers: [{ name: 'db', ...container }], nodeSelector: null } },
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], ...claim } }],
    },
  });
const record = (wanted: KubeObject) => wanted as unknown as JsonObject;
const stored = (container: JsonObject) =>
  set(container, { volumeMode: 'Filesystem', resources: { requests: { storage: '1Gi' } } });
const config = (data: JsonObject) => object('ConfigMap', 'v1', { data });

describe('an object that was applied before', () => {
  it('stands when the API says the same in its own way', () => {
    const wanted = set(
      {
        resources: { limits: { cpu: '1000m' } },
        env: [{ name: 'A', value: '' }],
        volumeMounts: [{ mountPath: '/a', readOnly: false }],
      },
      { resources: { requests: { storage: '1024Mi' } } },
    );
    const live = stored({
      resources: { limits: { cpu: '1' } },
      env: [{ name: 'A' }],
      volumeMounts: [{ mountPath: '/a' }],
    });
    expect(isInForce(record(wanted), wanted, live)).toBe(true);
    const changed = set({ resources: { limits: { cpu: '1100m' } } });
    expect(isInForce(record(wanted), changed, live)).toBe(false);
    const drifted = stored({ resources: { limits: { cpu: '2' } } });
    expect(isInForce(record(wanted), wanted, drifted)).toBe(false);
  });

  it('stands when KUDO recorded it in the words of its types', () => {
    const wanted = set({ resources: { requests: { cpu: 0.1 } }, env: [{ name: 'A', value: '' }] });
    const live = stored({ resources: { requests: { cpu: '100m' } }, env: [{ name: 'A' }] });
    const kudos = set({ resources: { requests: { cpu: '100m' } }, env: [{ name: 'A' }] });
    expect(isInForce(record(kudos), wanted, live)).toBe(true);
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['something is removed', { env: [{ name: 'A', value: 'x' }], tty: true }, { env: [{ name: 'A', value: 'x' }] }],
    [
      'an element of a list is removed',
      {
        env: [
          { name: 'A', value: 'x' },
          { name: 'B', value: 'x' },
        ],
      },
      { env: [{ name: 'A', value: 'x' }] },
    ],
    [
      'the order of a list is another',
      {
        env: [
          { name: 'A', value: 'x' },
          { name: 'B', value: 'x' },
        ],
      },
      {
        env: [
          { name: 'B', value: 'x' },
          { name: 'A', value: 'x' },
        ],
      },
    ],
  ])('is written when %s', (_what, before, after) => {
    expect(isInForce(record(set(before)), set(after), set(before))).toBe(false);
  });

  it('is written when an empty entry of a map is added, and not for members that the kind does not have', () => {
    expect(isInForce(record(config({ a: '1' })), config({ a: '1', b: '' }), config({ a: '1' }))).toBe(false);
    const odd = object('Pod', 'v1', { spec: { containers: [{ name: 'a' }], initializers: { pending: [] } } });
    const live = object('Pod', 'v1', { spec: { containers: [{ name: 'a' }] } });
    expect(isInForce(record(odd), odd, live)).toBe(true);
  });

  it('is written when nothing is known of what was applied', () => {
    expect(isInForce({}, config({ a: '1' }), config({ a: '1' }))).toBe(false);
  });

  it('keeps what is empty in kinds of others', () => {
    const pond = (spec: JsonObject) => object('Pond', 'lab.example.org/v1', { spec });
    expect(isInForce(record(pond({ a: [], b: null })), pond({ a: [], b: null }), pond({ a: [] }))).toBe(true);
    expect(isInForce(record(pond({ a: [] })), pond({ a: [] }), pond({}))).toBe(false);
  });
});
