import { describe, expect, it } from 'vitest';
import type { JsonValue } from '@/lib/json/json';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { validateBySchema } from '@/lib/schema/validate-by-schema';
import { fieldErrorWords } from './field-error-words';

const words = (value: JsonValue, schema: JsonSchema) => validateBySchema(value, schema, 'spec.x').map(fieldErrorWords);

describe('the words of a field error', () => {
  it.each<[string, JsonValue, JsonSchema, string]>([
    ['a wrong type', 'ten', { type: 'integer' }, '`spec.x` must be an integer'],
    ['text in place of a list', 'a', { type: 'array' }, '`spec.x` must be a list'],
    ['a number that is too small', 0, { type: 'integer', minimum: 1 }, '`spec.x` should be greater than or equal to 1'],
    ['a value that is not in the list', 'c', { type: 'string', enum: ['a', 'b'] }, '`spec.x` must be one of "a", "b"'],
    ['a missing member', {}, { type: 'object', required: ['size'] }, '`spec.x.size` is required'],
    ['a text that is too short', '', { type: 'string', minLength: 1 }, '`spec.x` should be at least 1 chars long'],
  ])('say what is wrong with %s', (_, value, schema, sentence) => {
    expect(words(value, schema)).toEqual([sentence]);
  });

  it('keep what the API server says of everything else', () => {
    expect(fieldErrorWords({ field: 'spec.x', type: 'FieldValueForbidden', message: 'Forbidden: not now' })).toBe(
      '`spec.x`: Forbidden: not now',
    );
  });
});
