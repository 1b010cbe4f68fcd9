import { describe, expect, it } from 'vitest';
import type { JsonValue } from '@/lib/json/json';
import type { JsonSchema, ValidationRule } from '@/lib/schema/json-schema';
import { compileRules } from './compile-rule';
import { escapeName } from './escape-names';
import { validateRules } from './validate-rules';

const withRules = (schema: JsonSchema, ...rules: ValidationRule[]): JsonSchema => ({
  type: 'object',
  properties: { v: { ...schema, 'x-kubernetes-validations': rules } },
});

function faults(schema: JsonSchema, value: JsonValue, old?: JsonValue): string[] {
  const errors = validateRules(schema)?.({ v: value }, old === undefined ? undefined : { v: old }) ?? [];
  return errors.map(({ field, message }) => `${field}: ${message}`);
}

const holds = (schema: JsonSchema, rule: string, value: JsonValue) =>
  faults(withRules(schema, { rule, message: 'no' }), value).length === 0;

describe('validateRules', () => {
  it('prints scalars and leaves out objects', () => {
    expect(faults(withRules({ type: 'integer' }, { rule: 'self % 2 == 0' }), 3)).toEqual([
      'v: Invalid value: 3: failed rule: self % 2 == 0',
    ]);
    const range: JsonSchema = { type: 'object', properties: { min: { type: 'integer' }, max: { type: 'integer' } } };
    const schema = withRules(range, { rule: 'self.min <= self.max', message: 'min above max' });
    expect(faults(schema, { min: 3, max: 2 })).toEqual(['v: Invalid value: min above max']);
  });

  it('puts a fault where reason and fieldPath say', () => {
    const schema = withRules(
      { type: 'object', properties: { x: { type: 'integer' } } },
      { rule: 'self.x > 0', fieldPath: '.x', reason: 'FieldValueRequired', message: 'needs x' },
    );
    expect(faults(schema, { x: 0 })).toEqual(['v.x: Required value: needs x']);
  });

  it('runs transition rules on updates only', () => {
    const schema = withRules({ type: 'string' }, { rule: 'self == oldSelf', message: 'fixed' });
    expect(faults(schema, 'b')).toEqual([]);
    expect(faults(schema, 'b', 'a')).toEqual(['v: Invalid value: "b": fixed']);
  });

  it('excuses values that an update did not touch, and says so', () => {
    const schema = withRules({ type: 'string' }, { rule: "self != 'bad'", message: 'bad' });
    const excused: string[] = [];
    expect(validateRules(schema)?.({ v: 'bad' }, { v: 'bad' }, ({ message }) => excused.push(message))).toEqual([]);
    expect(excused).toEqual(['Invalid value: "bad": bad']);
  });

  it('gives an optional oldSelf where it is asked for', () => {
    const rule = { rule: "oldSelf.hasValue() || self != 'first'", optionalOldSelf: true, message: 'not first' };
    expect(faults(withRules({ type: 'string' }, rule), 'first')).toHaveLength(1);
    expect(faults(withRules({ type: 'string' }, rule), 'first', 'x')).toEqual([]);
  });

  it('names what fails while a rule runs', () => {
    const list: JsonSchema = { type: 'object', properties: { l: { type: 'array', items: { type: 'integer' } } } };
    const schema = withRules(list, { rule: 'self.l[0] > 0', message: 'first' });
    expect(faults(schema, { l: [] })).toEqual([
      'v: Invalid value: "object": index out of bounds: 0 evaluating rule: first',
    ]);
    expect(faults(schema, {})).toEqual(['v: Invalid value: "object": no such key: l evaluating rule: first']);
  });

  it.each<[JsonSchema, string, JsonValue, boolean]>([
    [{ type: 'string' }, "self.matches('^[a-z]+$')", 'abc', true],
    [{ type: 'string' }, "self.matches('^(a+)+$')", `${'a'.repeat(20_000)}b`, false],
    [{ type: 'string' }, "self == 'matches('", 'matches(', true],
    [{ type: 'string' }, "quantity(self).isLessThan(quantity('2Gi'))", '1024Mi', true],
    [{ type: 'string' }, "isURL(self) && url(self).getScheme() == 'https'", 'http://x', false],
    [{ type: 'string' }, "cidr('10.0.0.0/8').containsIP(self)", '10.1.2.3', true],
    [{ type: 'string' }, "cidr('2001:db8::/32').containsIP(self)", '2001:db9::1', false],
    [{ type: 'string', format: 'date-time' }, "self > timestamp('2020-01-01T00:00:00Z')", '2024-01-01T00:00:00Z', true],
    [{ type: 'string', format: 'duration' }, "self < duration('1h')", '2h', false],
    [
      { type: 'array', items: { type: 'integer' } },
      'self.sum() == 6 && self.isSorted() && self.max() == 3',
      [1, 2, 3],
      true,
    ],
    [{ type: 'object', properties: { 'a-b': { type: 'string' } } }, "self.a__dash__b == 'x'", { 'a-b': 'x' }, true],
    [
      { type: 'object', additionalProperties: { type: 'integer' } },
      "self.all(k, self[k] > 0) && 'a.b' in self",
      { 'a.b': 1 },
      true,
    ],
    [{ type: 'string' }, "'%s is %d'.format([self, 5]) == 'x is 5'", 'x', true],
    [{ type: 'string' }, "self.replace('a', 'b') == 'bbb'", 'aba', true],
  ])('evaluates %j %s', (schema, rule, value, expected) => {
    expect(holds(schema, rule, value)).toBe(expected);
  });

  it('reports rules that cannot be right', () => {
    const schema: JsonSchema = { type: 'object', properties: { a: { type: 'string' } } };
    const problems = ['self.b == 1', 'self.a', 'self.a > 5', 'self.', "self.a == 'x'"].map(
      (rule) => compileRules({ ...schema, 'x-kubernetes-validations': [{ rule }] }, false)[0]?.problem,
    );
    expect(problems.map((problem) => problem !== undefined)).toEqual([true, true, true, true, false]);
    expect(problems[1]).toBe('cel expression must evaluate to a bool');
  });

  it('refuses rules without end', () => {
    const rule = '"'.repeat(90_000);
    const [compiled] = compileRules({ type: 'string', 'x-kubernetes-validations': [{ rule }] }, false);
    expect(compiled?.problem).toContain('longer than');
  });

  it('finds no validator where there are no rules', () => {
    expect(validateRules({ type: 'object' })).toBeUndefined();
  });
});

describe('names in expressions', () => {
  it('escapes what is no identifier', () => {
    expect(['a', 'a-b', 'a.b', 'in', 'a__b', '1a'].map(escapeName)).toEqual([
      'a',
      'a__dash__b',
      'a__dot__b',
      '__in__',
      'a__underscores__b',
      undefined,
    ]);
  });
});
