import { describe, expect, it } from 'vitest';
import { crdOf } from './crd';
import { crdChange } from './crd-change';
import { shortFormSchema } from './short-form';
import type { OwnKind } from './types';

type Spec = { readonly [field: string]: string };

function kind(spec: Spec, more: Partial<OwnKind> = {}): OwnKind {
  const { schema } = shortFormSchema(spec);
  const version = { name: 'v1', served: true, storage: true, schema: { type: 'object', properties: { spec: schema } } };
  return {
    group: 'example.com',
    kind: 'Pond',
    plural: 'ponds',
    singular: 'pond',
    versions: [version],
    instance: { parameters: {} },
    ...more,
  };
}

const crd = (spec: Spec, version = '1.0.0', more: Partial<OwnKind> = {}) =>
  crdOf(kind(spec, more), { operator: 'pond', version });

/** As the API server gives it back. */
function live(spec: Spec, version = '1.0.0') {
  return { ...crd(spec, version), status: { storedVersions: ['v1'] } };
}

const change = (
  ...[before, after, adopt = false]: [ReturnType<typeof live> | undefined, ReturnType<typeof crd>, boolean?]
) => crdChange(before, after, { adopt });

describe('what an install does with a CRD', () => {
  it('creates it, keeps the same one, and updates one that has fewer fields', () => {
    expect(change(undefined, crd({ size: 'integer' }))).toEqual({ do: 'create' });
    expect(change(live({ size: 'integer' }), crd({ size: 'integer' }))).toEqual({ do: 'keep' });
    expect(change(live({ size: 'integer' }), crd({ size: 'integer', zone: 'string' }, '1.1.0'))).toEqual({
      do: 'update',
    });
  });

  it('keeps one of a newer version of the operator', () => {
    expect(change(live({ size: 'integer', zone: 'string' }, '1.1.0'), crd({ size: 'integer' }))).toEqual({
      do: 'keep',
    });
  });

  it.each<[string, Spec, Spec]>([
    ['field .spec.zone of version v1 would be lost', { size: 'integer', zone: 'string' }, { size: 'integer' }],
    ['field .spec.size (integer, not string) of version v1', { size: 'integer' }, { size: 'string' }],
    ['field .spec.tags[] (string, not integer) of version v1', { tags: '[]string' }, { tags: '[]integer' }],
  ])('refuses one in which %s', (text, before, after) => {
    expect(change(live(before), crd(after, '1.1.0'))).toEqual({ do: 'refuse', message: expect.stringContaining(text) });
  });

  it('refuses to drop a version in which objects are stored', () => {
    const versions = kind({ size: 'integer' }).versions.map((each) => ({ ...each, name: 'v2' }));
    const { message } = change(live({ size: 'integer' }), crd({}, '1.1.0', { versions })) as { message: string };
    expect(message).toContain('objects are stored in version v1, which the package does not have');
  });

  it('a field below an object that takes anything is not lost', () => {
    expect(change(live({ pod: 'map[string]string' }), crd({ pod: 'object' }, '1.1.0'))).toEqual({ do: 'update' });
  });

  it('leaves a CRD of others alone, unless it is to be adopted', () => {
    const foreign = { ...live({ size: 'integer' }), metadata: { name: 'ponds.example.com' } };
    expect(change(foreign, crd({ size: 'integer' }))).toEqual({
      do: 'refuse',
      message: expect.stringContaining('install with --adopt-crd'),
    });
    expect(change(foreign, crd({ size: 'integer' }), true)).toEqual({ do: 'update' });
    expect(change(foreign, crd({}), true)).toMatchObject({ do: 'refuse' });
    const other = {
      ...live({}),
      metadata: { name: 'ponds.example.com', labels: { 'bravo.kudo.dev/operator': 'lake' } },
    };
    expect(change(other, crd({}), true)).toMatchObject({
      message: expect.stringContaining('belongs to operator lake'),
    });
  });
});
