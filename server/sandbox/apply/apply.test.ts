import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import { builtinSchema } from '@/lib/kube/builtin/builtin';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { customApplySchema, emptyCustomObject, emptyObject } from './apply-schema';
import { FieldSet } from './field-set';
import { serverSideApply } from './server-side-apply';
import { updateManagedFields } from './update-managed-fields';

const NOW = Date.parse('2026-01-02T03:04:05Z');
const configMap = builtinSchema({ group: '', version: 'v1', kind: 'ConfigMap' }) ?? {};
const deployment = builtinSchema({ group: 'apps', version: 'v1', kind: 'Deployment' }) ?? {};

const map = (data: JsonObject | undefined, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', ...metadata },
  ...(data === undefined ? {} : { data }),
});

interface Step {
  applied: JsonObject;
  manager: string;
  force?: boolean;
  schema?: JsonSchema;
  subresource?: string;
}

/** Applies to an object, a new one when there is none yet. */
function run(live: JsonObject | undefined, step: Step) {
  const { applied, manager, force = false, schema = configMap, subresource = '' } = step;
  const empty = { ...emptyObject(schema), apiVersion: applied.apiVersion ?? '', kind: applied.kind ?? '' };
  return serverSideApply({
    live: live ?? empty,
    applied,
    manager,
    force,
    schema,
    nowMs: NOW,
    subresource,
    hasStatus: true,
  });
}

function applied(live: JsonObject | undefined, step: Step): JsonObject {
  const outcome = run(live, step);
  if (!('object' in outcome)) throw new Error('message' in outcome ? outcome.message : outcome.fault);
  return outcome.object;
}

const managers = (object: JsonObject) =>
  ((object.metadata as JsonObject).managedFields as JsonObject[]).map(({ manager, operation, fieldsV1 }) => [
    manager,
    operation,
    fieldsV1,
  ]);

describe('serverSideApply', () => {
  it('gives each manager its own fields, and removes a field that its only owner no longer applies', () => {
    const first = applied(undefined, { applied: map({ k: 'v' }), manager: 'm1' });
    const second = applied(first, { applied: map({ l: 'w' }), manager: 'm2' });
    expect(managers(second)).toEqual([
      ['m1', 'Apply', { 'f:data': { 'f:k': {} } }],
      ['m2', 'Apply', { 'f:data': { 'f:l': {} } }],
    ]);
    const third = applied(second, { applied: map({}), manager: 'm1' });
    expect(third.data).toEqual({ l: 'w' });
  });

  it('keeps a shared field until neither owner applies it, without a time for what changes nothing', () => {
    const first = applied(undefined, { applied: map({ k: 'v' }), manager: 'm1' });
    const shared = run(first, { applied: map({ k: 'v' }), manager: 'm2' });
    expect(shared).toMatchObject({ changed: false });
    const both = applied(first, { applied: map({ k: 'v' }), manager: 'm2' });
    const entries = (both.metadata as JsonObject).managedFields as JsonObject[];
    expect(entries.map(({ manager, time }) => [manager, time])).toEqual([
      ['m2', undefined],
      ['m1', '2026-01-02T03:04:05Z'],
    ]);
    const one = applied(both, { applied: map(undefined), manager: 'm1' });
    expect(one.data).toEqual({ k: 'v' });
    expect(applied(one, { applied: map(undefined), manager: 'm2' }).data ?? null).toBeNull();
  });

  it('refuses to take a field from others, unless it is forced', () => {
    const first = applied(undefined, { applied: map({ k: 'v', l: 'w' }), manager: 'm1' });
    const both = applied(first, { applied: map({ n: 'x' }), manager: 'm2' });
    expect(run(both, { applied: map({ k: '1', l: '2', n: '3' }), manager: 'm3' })).toMatchObject({
      message:
        'Apply failed with 3 conflicts: conflicts with "m1":\n- .data.k\n- .data.l\nconflicts with "m2":\n- .data.n',
    });
    expect(run(first, { applied: map({ k: '1' }), manager: 'm2' })).toMatchObject({
      message: 'Apply failed with 1 conflict: conflict with "m1": .data.k',
    });
    const forced = applied(first, { applied: map({ k: '1' }), manager: 'm2', force: true });
    expect(forced.data).toEqual({ k: '1', l: 'w' });
    expect(managers(forced)).toEqual([
      ['m1', 'Apply', { 'f:data': { 'f:l': {} } }],
      ['m2', 'Apply', { 'f:data': { 'f:k': {} } }],
    ]);
  });

  it('keeps the metadata of an object whose last field of metadata is no longer applied', () => {
    const first = applied(undefined, { applied: map(undefined, { finalizers: ['x/a'] }), manager: 'm1' });
    const live = { ...first, metadata: { ...(first.metadata as JsonObject), uid: 'u' } };
    const second = applied(live, { applied: map(undefined), manager: 'm1' });
    expect(second.metadata).toEqual({ name: 'a', uid: 'u', managedFields: [] });
  });

  it('merges lists by their keys, defaults of keys included', () => {
    const schema = builtinSchema({ group: '', version: 'v1', kind: 'Service' }) ?? {};
    const service = (ports: JsonObject[]): JsonObject => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: { ports },
    });
    const ports = [
      { name: 'dns', port: 53, protocol: 'TCP' },
      { name: 'dns-u', port: 53, protocol: 'UDP' },
    ];
    const first = applied(undefined, { applied: service(ports), manager: 'm1', schema });
    const second = applied(first, { applied: service([{ name: 'dns', port: 53 }]), manager: 'm1', schema });
    expect((second.spec as JsonObject).ports).toEqual([{ name: 'dns', port: 53 }]);
  });

  it('says where a configuration has the wrong shape', () => {
    const bad = { ...map({ k: 5 } as JsonObject), nothing: 1 };
    expect(run(undefined, { applied: bad, manager: 'm1' })).toEqual({
      fault:
        'failed to create typed patch object (/a; /v1, Kind=ConfigMap): errors:\n  .data.k: expected string, got &value.valueUnstructured{Value:5}\n  .nothing: field not declared in schema',
    });
    const twice = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'w' },
      spec: { template: { spec: { containers: [{ name: 'c' }, { name: 'c' }] } } },
    };
    expect(run(undefined, { applied: twice, manager: 'm1', schema: deployment })).toEqual({
      fault:
        'failed to create typed patch object (/w; apps/v1, Kind=Deployment): .spec.template.spec.containers: duplicate entries for key [name="c"]',
    });
  });

  it('owns status through the status subresource only', () => {
    const object = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'w' },
      spec: { replicas: 9 },
      status: { replicas: 1 },
    };
    const through = applied(undefined, { applied: object, manager: 'ctl', schema: deployment, subresource: 'status' });
    expect(managers(through)).toEqual([['ctl', 'Apply', { 'f:status': { 'f:replicas': {} } }]]);
    const main = applied(undefined, { applied: object, manager: 'm', schema: deployment });
    expect(managers(main)).toEqual([['m', 'Apply', { 'f:spec': { 'f:replicas': {} } }]]);
  });

  it('takes fields of custom resources that no schema names by their shape', () => {
    const schema = customApplySchema({
      type: 'object',
      properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    });
    const object = { apiVersion: 'x/v1', kind: 'W', metadata: { name: 'a' }, spec: { l: [1, 2], m: { n: 'o' } } };
    const outcome = serverSideApply({
      live: emptyCustomObject(),
      applied: object,
      manager: 'm',
      force: false,
      schema,
      nowMs: NOW,
      subresource: '',
      hasStatus: false,
    });
    expect('object' in outcome && managers(outcome.object)).toEqual([
      ['m', 'Apply', { 'f:spec': { 'f:l': {}, 'f:m': { '.': {}, 'f:n': {} } } }],
    ]);
  });
});

describe('updateManagedFields', () => {
  const update = (before: JsonObject, after: JsonObject, manager: string, schema = configMap) =>
    updateManagedFields({
      before,
      after,
      manager,
      apiVersion: 'v1',
      schema,
      nowMs: NOW,
      subresource: '',
      hasStatus: false,
    });

  it('notes what a create sets, with the containers that it brought', () => {
    const entries = update(emptyObject(configMap), map({ k: 'v' }, { labels: { 'a/b': 'c' } }), 'me');
    expect(entries?.[0]?.fieldsV1).toEqual({
      'f:data': { '.': {}, 'f:k': {} },
      'f:metadata': { 'f:labels': { '.': {}, 'f:a/b': {} } },
    });
  });

  it('moves changed fields to who changed them and forgets removed ones', () => {
    const before = map({ k: 'v', l: 'w' }, { uid: 'u' });
    const managedFields = update(emptyObject(configMap), before, 'm1') ?? [];
    const live = { ...before, metadata: { ...(before.metadata as JsonObject), managedFields } };
    const after = { ...live, data: { k: 'changed' } };
    expect(update(live, after, 'm2')?.map(({ manager, fieldsV1 }) => [manager, fieldsV1])).toEqual([
      ['m1', { 'f:data': {} }],
      ['m2', { 'f:data': { 'f:k': {} } }],
    ]);
  });

  it('gives the very same fields while a manager sets no others', () => {
    const before = map({ k: 'v' }, { uid: 'u' });
    const managedFields = update(emptyObject(configMap), before, 'me') ?? [];
    const live = { ...before, metadata: { ...(before.metadata as JsonObject), managedFields } };
    const sentBack = structuredClone({ ...live, data: { k: 'changed' } });
    expect(update(live, sentBack, 'me')?.[0]?.fieldsV1).toBe(managedFields[0]?.fieldsV1);
  });

  it('forgets all managers when a client sends none, and does not begin anew', () => {
    const before = map(
      { k: 'v' },
      { uid: 'u', managedFields: update(emptyObject(configMap), map({ k: 'v' }), 'm1') ?? [] },
    );
    expect(update(before, map({ k: 'v' }, { uid: 'u', managedFields: [] }), 'm2')).toBeUndefined();
    const forgotten = map({ k: 'v' }, { uid: 'u' });
    expect(update(forgotten, map({ k: 'x' }, { uid: 'u' }), 'm2')).toBeUndefined();
  });
});

describe('FieldSet', () => {
  it('reads and writes fieldsV1', () => {
    const json = { 'f:a': { '.': {}, 'f:b': {} }, 'k:{"name":"x"}': { 'f:c': {} }, 'v:"s"': {} };
    expect(FieldSet.fromJson(json).toJson()).toEqual(json);
  });

  it('computes with sets of paths', () => {
    const a = FieldSet.fromJson({ 'f:a': { '.': {}, 'f:b': {} }, 'f:c': {} });
    const b = FieldSet.fromJson({ 'f:a': { 'f:b': {} } });
    expect(a.difference(b).toJson()).toEqual({ 'f:a': {}, 'f:c': {} });
    expect(a.intersection(b).toJson()).toEqual({ 'f:a': { 'f:b': {} } });
    expect(b.union(a).toJson()).toEqual(a.toJson());
  });

  it('agrees with sets of texts', () => {
    const element = fc.constantFrom('f:a', 'f:b', 'f:c');
    const paths = fc.array(fc.array(element, { minLength: 1, maxLength: 3 }), { maxLength: 8 });
    const texts = (set: FieldSet) => new Set([...set.paths()].map((path) => path.join('.')));
    fc.assert(
      fc.property(paths, paths, (some, others) => {
        const [a, b] = [some, others].map((each) => {
          const set = new FieldSet();
          for (const path of each) set.insert(path);
          return set;
        }) as [FieldSet, FieldSet];
        const [x, y] = [texts(a), texts(b)];
        expect(texts(a.union(b))).toEqual(new Set([...x, ...y]));
        expect(texts(a.intersection(b))).toEqual(new Set([...x].filter((each) => y.has(each))));
        expect(texts(a.difference(b))).toEqual(new Set([...x].filter((each) => !y.has(each))));
        expect([texts(a), texts(b)]).toEqual([x, y]);
      }),
    );
  });

  it('stays the same set when nothing comes or goes', () => {
    const a = FieldSet.fromJson({ 'f:a': { 'f:b': {}, 'f:c': {} } });
    expect(a.union(FieldSet.fromJson({ 'f:a': { 'f:b': {} } }))).toBe(a);
    expect(a.difference(FieldSet.fromJson({ 'f:a': {}, 'f:x': {} }))).toBe(a);
    expect(FieldSet.fromJson(a.toJson())).toBe(a);
  });
});
