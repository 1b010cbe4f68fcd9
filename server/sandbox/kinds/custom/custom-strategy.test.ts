import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import type { JsonSchema } from '@/lib/schema/json-schema';
import type { StrategyContext } from '../base/strategy';
import { builtinStrategy, customStrategy } from '../strategies';

const context: StrategyContext = { nowMs: 0, subresource: undefined };
const definitions = builtinStrategy({ group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' });

function definition(schema: JsonSchema, rest: object = {}): KubeObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...rest }],
    },
  };
}

function createdDefinition(crd: KubeObject): KubeObject {
  const { object } = definitions.decode(crd);
  definitions.applyDefaults(object);
  definitions.prepareForCreate(object, context);
  return object;
}

const faultsOf = (crd: KubeObject) =>
  definitions.validateCreate(createdDefinition(crd), context).map(({ field, message }) => `${field}: ${message}`);

const widget = (spec: unknown, rest: object = {}): KubeObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'w' },
  spec,
  ...rest,
});

describe('definitions', () => {
  it('get their names, conversion and an empty status', () => {
    expect(createdDefinition(definition({ type: 'object' }))).toMatchObject({
      metadata: { generation: 1 },
      spec: { names: { singular: 'widget', listKind: 'WidgetList' }, conversion: { strategy: 'None' } },
      status: { acceptedNames: { kind: '', plural: '' }, conditions: null, storedVersions: ['v1'] },
    });
  });

  const inSpec = (x: JsonSchema): JsonSchema => ({
    type: 'object',
    properties: { spec: { type: 'object', properties: { x } } },
  });
  const at = 'spec.validation.openAPIV3Schema.properties[spec].properties[x]';

  it.each<[string, JsonSchema, string]>([
    ['a list without elements', { type: 'array' }, `${at}.items: Required value: must be specified`],
    ['no type', {}, `${at}.type: Required value: must not be empty for specified object fields`],
    [
      'an unknown type',
      { type: 'thing' },
      `${at}.type: Unsupported value: "thing": supported values: "array", "boolean", "integer", "number", "object", "string"`,
    ],
    [
      'a type inside logic',
      { type: 'integer', anyOf: [{ type: 'integer' }] },
      `${at}.anyOf[0].type: Forbidden: must be empty to be structural`,
    ],
    [
      'a default that its schema does not know',
      { type: 'object', properties: { a: { type: 'string' } }, default: { b: 1 } },
      `${at}.default: Invalid value: {"b":1}: must not have unknown fields`,
    ],
    [
      'an optional key of a list',
      {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['n'],
        items: { type: 'object', properties: { n: { type: 'string' } } },
      },
      `${at}.items.properties[n].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property`,
    ],
    [
      'a rule that is no question',
      { type: 'string', 'x-kubernetes-validations': [{ rule: 'self' }] },
      `${at}.x-kubernetes-validations[0].rule: Invalid value: {"Rule":"self"}: cel expression must evaluate to a bool`,
    ],
  ])('refuse %s', (_name, x, wanted) => {
    expect(faultsOf(definition(inSpec(x)))).toEqual([wanted]);
  });

  it('name the version of a schema when versions differ', () => {
    const crd = definition({ type: 'object' });
    const { versions } = crd.spec as { versions: object[] };
    versions.push({
      name: 'v2',
      served: true,
      storage: false,
      schema: { openAPIV3Schema: { type: 'object', properties: { x: { type: 'array' } } } },
    });
    expect(faultsOf(crd)).toEqual([
      'spec.versions[1].schema.openAPIV3Schema.properties[x].items: Required value: must be specified',
    ]);
  });
});

describe('custom resources', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          size: { type: 'integer', maximum: 5 },
          mode: { type: 'string', default: 'fast' },
        },
      },
      status: { type: 'object', properties: { n: { type: 'integer', minimum: 0 } } },
    },
  };
  const strategy = customStrategy(definition(schema, { subresources: { status: {} } }), 'v1');

  it('lose fields that the schema does not know, sorted by path', () => {
    const { object, unknownFields } = strategy.decode(widget({ z: 1, mode: 'slow', a: 2 }, { extra: 1 }));
    expect(unknownFields).toEqual(['extra', 'spec.a', 'spec.z']);
    expect(object.spec).toEqual({ mode: 'slow' });
  });

  it('refuse metadata of wrong types', () => {
    const metadata = { name: 'w', labels: { a: 1 } } as unknown as KubeObject['metadata'];
    expect(() => strategy.decode(widget({}, { metadata }))).toThrow(
      /^Widget in version "v1" cannot be handled as a Widget: json: cannot unmarshal/,
    );
  });

  it('get defaults, lose a status on creation, and are counted by their spec', () => {
    const { object } = strategy.decode(widget({ size: 1 }, { status: { n: 1 } }));
    strategy.applyDefaults(object);
    strategy.prepareForCreate(object, context);
    expect(object).toMatchObject({ metadata: { generation: 1 }, spec: { size: 1, mode: 'fast' } });
    expect(object.status).toBeUndefined();
    expect(strategy.bumpsGeneration({ ...object, spec: { size: 2 } }, object)).toBe(true);
    expect(strategy.bumpsGeneration({ ...object, status: { n: 5 } }, object)).toBe(false);
    expect(strategy.bumpsGeneration(object, widget({ size: 1 }))).toBe(false);
  });

  it('change nothing but status through /status, and its faults begin there', () => {
    const old = widget({ size: 1 });
    const next = widget({ size: 9 }, { metadata: { name: 'w', labels: { a: 'b' } }, status: { n: -1 } });
    const onStatus = { ...context, subresource: 'status' };
    strategy.prepareForUpdate(next, old, onStatus);
    expect(next.spec).toEqual({ size: 1 });
    expect(next.metadata).toEqual({ name: 'w' });
    expect(strategy.validateUpdate(next, old, onStatus)).toEqual([
      {
        field: 'status.n',
        type: 'FieldValueInvalid',
        message: 'Invalid value: -1: n in body should be greater than or equal to 0',
      },
    ]);
  });

  it('may keep what a tightened schema would refuse', () => {
    const old = widget({ size: 50 });
    expect(strategy.validateUpdate(widget({ size: 50, mode: 'slow' }), old, context)).toEqual([]);
    expect(strategy.validateUpdate(widget({ size: 51 }), old, context)).toHaveLength(1);
  });
});
