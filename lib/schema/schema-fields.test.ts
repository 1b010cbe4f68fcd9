import { describe, expect, it } from 'vitest';
import { builtinSchemas } from '@/lib/kube/builtin/builtin';
import { fieldFacts, fieldRules } from './field-facts';
import type { JsonSchema, RawSchema } from './json-schema';
import { schemaResolver } from './resolve-schema';
import { childFields, rootFields, schemaTypeWords, searchFields } from './schema-fields';
import { MOST_SCHEMA_ROWS, schemaRows } from './schema-rows';

const TEXT: JsonSchema = { type: 'string' };
const CRONTAB: JsonSchema = {
  type: 'object',
  properties: {
    apiVersion: TEXT,
    kind: TEXT,
    metadata: { type: 'object' },
    status: { type: 'object', properties: { ready: { type: 'boolean' } } },
    spec: {
      type: 'object',
      required: ['cronSpec'],
      properties: {
        cronSpec: TEXT,
        env: { type: 'object', additionalProperties: { type: 'object', properties: { value: TEXT } } },
        steps: { type: 'array', items: { type: 'object', required: ['name'], properties: { name: TEXT } } },
      },
    },
  },
};
const NONE = new Map<string, boolean>();

function builtin(name: string): JsonSchema {
  const components = builtinSchemas as unknown as { [name: string]: RawSchema };
  return schemaResolver(components)(components[name] ?? {});
}

const idsOf = (schema: JsonSchema, opened = NONE, search?: ReturnType<typeof searchFields>) =>
  schemaRows(schema, opened, search).rows.map(({ node }) => node.id);

describe('fields of a schema', () => {
  it("has a kind's own fields first and its spec open", () => {
    expect(idsOf(CRONTAB)).toEqual([
      ...['spec', 'spec.cronSpec', 'spec.env', 'spec.steps', 'status', 'metadata', 'apiVersion', 'kind'],
    ]);
    expect(schemaRows(CRONTAB, NONE, undefined).rows[1]?.node.isRequired).toBe(true);
  });

  it('goes into the items of lists and the values of maps', () => {
    const opened = new Map([
      ['spec.steps', true],
      ['spec.env', true],
    ]);
    expect(idsOf(CRONTAB, opened)).toContain('spec.steps[].name');
    expect(idsOf(CRONTAB, opened)).toContain('spec.env.<key>.value');
  });

  it('shows what a search found and what leads to it', () => {
    const search = searchFields(CRONTAB, 'NAME');
    expect([...search.found]).toEqual(['spec.steps[].name']);
    expect(idsOf(CRONTAB, NONE, search)).toEqual(['spec', 'spec.steps', 'spec.steps[].name']);
    expect(idsOf(CRONTAB, NONE, searchFields(CRONTAB, 'nothing'))).toEqual([]);
  });

  it('opens everything below a field that was found', () => {
    const search = searchFields(CRONTAB, 'steps');
    expect(idsOf(CRONTAB, new Map([['spec.steps', true]]), search)).toContain('spec.steps[].name');
  });

  it('ends in a schema that contains itself', () => {
    const definition = builtin('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition');
    const search = searchFields(definition, 'openAPIV3Schema');
    expect(search.isWhole).toBe(true);
    expect([...search.found]).toEqual(['spec.versions[].schema.openAPIV3Schema']);
    let field = rootFields(definition)[0];
    for (let depth = 0; field !== undefined; depth++) {
      expect(depth).toBeLessThan(20);
      field = childFields(field).findLast(({ hasChildren }) => hasChildren);
    }
  });

  it('draws a bounded number of lines and says so', () => {
    const properties = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`field${at}`, TEXT]));
    const { rows, isWhole } = schemaRows({ type: 'object', properties }, NONE, undefined);
    expect(rows).toHaveLength(MOST_SCHEMA_ROWS);
    expect(isWhole).toBe(false);
    expect(searchFields({ type: 'object', properties }, 'field').isWhole).toBe(false);
  });

  it('names types as kubectl explain does', () => {
    expect(schemaTypeWords({ type: 'array', items: TEXT })).toBe('[]string');
    expect(schemaTypeWords({ type: 'object', additionalProperties: TEXT })).toBe('map[string]string');
    expect(schemaTypeWords({ 'x-kubernetes-int-or-string': true })).toBe('integer or string');
    expect(schemaTypeWords({})).toBe('any');
    const container = searchFields(builtin('io.k8s.api.core.v1.Pod'), 'spec.containers').found;
    expect(container.has('spec.containers')).toBe(true);
  });

  it('says what a value must be', () => {
    const schema = { type: 'integer', minimum: 1, maximum: 10, exclusiveMaximum: true, default: 1, nullable: true };
    expect(fieldFacts(schema)).toEqual([
      ['Default', '1'],
      ['Value', 'at least 1, less than 10'],
      ['Null', 'allowed'],
    ]);
    expect(fieldFacts({ enum: ['a', ''] })).toEqual([['One of', 'a, ""']]);
    expect(fieldFacts({ oneOf: [{ required: ['a'] }, { required: ['b'] }] })).toEqual([
      ['Alternatives', 'exactly one of a, b'],
    ]);
    expect(fieldFacts({ type: 'array', minItems: 1, 'x-kubernetes-list-map-keys': ['name'] })).toEqual([
      ['Items', 'at least 1, each name once'],
    ]);
  });

  it('gives the rules of a field and of its items with their messages', () => {
    const rule = { rule: 'self == oldSelf', message: 'It is immutable.' };
    const items = { 'x-kubernetes-validations': [{ rule: 'self > 1' }] };
    expect(fieldRules({ 'x-kubernetes-validations': [rule], items })).toEqual([
      { ...rule, of: 'field' },
      { rule: 'self > 1', message: 'failed rule: self > 1', of: 'item' },
    ]);
  });
});
