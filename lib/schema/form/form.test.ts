import { describe, expect, it } from 'vitest';
import { builtinSchema } from '@/lib/kube/builtin/builtin';
import type { JsonSchema } from '../json-schema';
import { alternativesOf, fieldsToDrop } from './alternatives';
import { fieldControl, typedValue, typeWords } from './field-control';
import { fieldPathText, plainFieldText } from './field-path';
import { formProblems, immutableBecause } from './form-problems';
import { objectMembers, searchMembers } from './object-members';
import { requiredMembers, starterValue } from './starter-value';

const DEPLOYMENT = builtinSchema({ group: 'apps', version: 'v1', kind: 'Deployment' }) ?? {};

/** The schema at a path of properties; `[]` are items. */
function schemaAtPath(schema: JsonSchema, path: string): JsonSchema {
  return path.split('.').reduce<JsonSchema>((each, part) => {
    const member = part === '[]' ? each.items : each.properties?.[part];
    if (member === undefined) throw new Error(`no ${part} in ${path}`);
    return member;
  }, schema);
}

describe('the control of a field', () => {
  it('follows the type, and what Kubernetes writes beside it', () => {
    const container = schemaAtPath(DEPLOYMENT, 'spec.template.spec.containers.[]');
    const control = (path: string) => fieldControl(schemaAtPath(container, path), undefined);
    expect(control('image')).toBe('text');
    expect(control('stdin')).toBe('boolean');
    expect(control('ports')).toBe('list');
    expect(control('ports.[].containerPort')).toBe('integer');
    expect(control('livenessProbe.httpGet.port')).toBe('int-or-string');
    expect(control('resources.limits')).toBe('map');
    const limits = schemaAtPath(container, 'resources.limits').additionalProperties;
    expect(typeof limits === 'object' && fieldControl(limits, '1Gi')).toBe('quantity');
    expect(fieldControl({ enum: ['a', 'b'], type: 'string' }, undefined)).toBe('choice');
    expect(fieldControl({ 'x-kubernetes-int-or-string': true }, 1)).toBe('int-or-string');
    expect(fieldControl({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, {})).toBe('yaml');
    expect(typeWords({ type: 'array', items: { type: 'string', format: 'date-time' } })).toBe('list of date-time');
  });

  it('is YAML for a value that does not fit, and several lines for a text that has them', () => {
    expect(fieldControl({ type: 'integer' }, { a: 1 })).toBe('yaml');
    expect(fieldControl({ type: 'array', items: {} }, 'x')).toBe('yaml');
    expect(fieldControl({ type: 'string' }, 'a\nb')).toBe('lines');
  });

  it('writes numbers as numbers, and keeps what is none as text, which the schema refuses', () => {
    expect(typedValue('integer', '12', 1)).toBe(12);
    expect(typedValue('integer', '1x', 1)).toBe('1x');
    expect(typedValue('integer', '99999999999999999999', 1)).toBe('99999999999999999999');
    expect(typedValue('number', '1.50', 1)).toBe(1.5);
    expect(typedValue('int-or-string', '80', undefined)).toBe(80);
    expect(typedValue('int-or-string', '81', '80')).toBe('81');
    expect(typedValue('int-or-string', 'http', 80)).toBe('http');
    expect(typedValue('text', '0644', '')).toBe('0644');
  });
});

describe('the fields of an object', () => {
  it('are the required ones and the set ones, also those that nobody knows; the others are found by name and description', () => {
    const spec = schemaAtPath(DEPLOYMENT, 'spec');
    const { shown, addable } = objectMembers(spec, { custom: 1, replicas: 2 });
    expect(shown.map(({ name }) => name)).toEqual(['selector', 'template', 'custom', 'replicas']);
    expect(shown.find(({ name }) => name === 'custom')?.isKnown).toBe(false);
    expect(searchMembers(addable, 'rev').map(({ name }) => name)).toEqual(['revisionHistoryLimit']);
    const described = objectMembers({ properties: { b: { description: 'The colour.' }, colour: {} } }, {}).addable;
    expect(searchMembers(described, 'colour').map(({ name }) => name)).toEqual(['colour', 'b']);
  });

  it('begin with their required members and defaults; a schema that contains itself ends', () => {
    expect(requiredMembers(schemaAtPath(DEPLOYMENT, 'spec.template.spec.containers.[]'))).toEqual({ name: '' });
    expect(starterValue({ type: 'integer', minimum: 3 })).toBe(3);
    expect(starterValue({ type: 'string', default: 'x' })).toBe('x');
    const loop: { type: string; required: string[]; properties: { again?: JsonSchema } } = {
      ...{ type: 'object', required: ['again'], properties: {} },
    };
    loop.properties.again = loop;
    expect(JSON.stringify(starterValue(loop)).length).toBeLessThan(100);
  });

  it('are chosen among alternatives, and those of the others go', () => {
    const schema: JsonSchema = {
      properties: { git: {}, oci: {}, tag: {} },
      oneOf: [{ required: ['git'] }, { required: ['oci', 'tag'] }],
    };
    const choice = alternativesOf(schema, { oci: 1, tag: 2 });
    expect(choice?.alternatives.map(({ label }) => label)).toEqual(['git', 'oci and tag']);
    expect(choice?.chosen).toBe(1);
    expect(choice === undefined ? [] : fieldsToDrop(choice, 0)).toEqual(['oci', 'tag']);
    expect(alternativesOf({ oneOf: [{ type: 'string' }, { type: 'integer' }] }, 1)).toBeUndefined();
  });
});

describe('the problems of a form', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        required: ['schedule'],
        'x-kubernetes-validations': [
          { rule: 'self.min <= self.max', message: 'min must not be above max' },
          { rule: 'self.zone == oldSelf.zone' },
        ],
        properties: {
          schedule: { type: 'string', pattern: '^\\d+$' },
          class: {
            type: 'string',
            'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'The class is immutable.' }],
          },
          min: { type: 'integer', format: 'int64' },
          max: { type: 'integer', format: 'int64' },
          zone: { type: 'string' },
        },
      },
    },
  };

  it('are at their fields, of the shape first, then of the rules with the value before', () => {
    expect(formProblems(schema, { spec: { schedule: 'x', min: 'a' } }).map(({ field }) => field)).toEqual([
      'spec.schedule',
      'spec.min',
    ]);
    expect(formProblems(schema, { spec: {} })).toEqual([
      { field: 'spec.schedule', message: '`spec.schedule` is required' },
    ]);
    const spec = { schedule: '1', min: 3, max: 2, zone: 'a', class: 'x' };
    expect(formProblems(schema, { spec })).toEqual([{ field: 'spec', message: '`spec`: min must not be above max' }]);
    const changed = formProblems(schema, { spec: { ...spec, max: 4, class: 'y' } }, { spec: { ...spec, max: 4 } });
    expect(changed).toEqual([{ field: 'spec.class', message: '`spec.class`: The class is immutable.' }]);
  });

  it('end for kinds whose schema contains itself', () => {
    const definitions = builtinSchema({
      ...{ group: 'apiextensions.k8s.io', version: 'v1' },
      kind: 'CustomResourceDefinition',
    });
    const problems = formProblems(definitions ?? {}, { spec: { group: 1 } }).map(({ field }) => field);
    expect(problems).toContain('spec.group');
  });

  it('tell before an edit which fields cannot change', () => {
    const spec = schemaAtPath(schema, 'spec');
    expect(immutableBecause(spec, 'class')).toBe('The class is immutable.');
    expect(immutableBecause(spec, 'zone')).toContain('zone cannot change');
    expect(immutableBecause(spec, 'min')).toBeUndefined();
  });

  it('have one spelling of a place', () => {
    expect(fieldPathText(['spec', 'containers', 0, 'image'])).toBe('spec.containers[0].image');
    expect(plainFieldText('data[key]')).toBe('data.key');
    expect(plainFieldText('spec.containers[0].env')).toBe('spec.containers[0].env');
  });
});
