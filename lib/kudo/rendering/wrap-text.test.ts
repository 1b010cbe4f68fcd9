import { describe, expect, it } from 'vitest';
import type { JsonValue } from '@/lib/json/json';
import { renderTemplateText } from '@/lib/template/testing/render';
import { unwrapValue, wrapParameter } from './wrap-text';

describe('a default of params.yaml', () => {
  it.each<[JsonValue | undefined, string | undefined, string | undefined]>([
    ['text', 'string', 'text'],
    [3, 'integer', '3'],
    [0.25, 'number', '0.25'],
    [1_000_000, 'integer', '1e+06'],
    [123_456_789, undefined, '1.23456789e+08'],
    [true, 'boolean', 'true'],
    [['a', 'b'], undefined, '[a b]'],
    [{ b: 1, a: 'x' }, 'string', 'map[a:x b:1]'],
    [null, 'string', undefined],
    [undefined, undefined, undefined],
    [undefined, 'map', 'null\n'],
    [null, 'array', 'null\n'],
    [['a', 1_000_000, 1e21, 0.5], 'array', '- a\n- 1000000\n- 1e+21\n- 0.5\n'],
    [{ b: [1], a: { yes: 'no' } }, 'map', 'a:\n  "yes": "no"\nb:\n- 1\n'],
    ['[a, b]', 'array', "'[a, b]'\n"],
    [-(2 ** 63), 'map', '-9.223372036854776e+18\n'],
    [[2 ** 63, -0], 'array', '- 9223372036854776000\n- 0\n'],
  ])('%j of type %s is stored as %j', (value, type, text) => {
    expect(wrapParameter(value, type)).toBe(text);
  });
});

describe('a stored parameter', () => {
  it.each<[string | undefined, string, JsonValue | undefined]>([
    ['3', 'integer', '3'],
    [undefined, 'string', ''],
    ['a: 1\nb: [x]', 'map', { a: 1, b: ['x'] }],
    ['', 'map', null],
    ['text', 'map', 'text'],
    ['[1, 0o17, yes]', 'array', [1, 15, true]],
    ['- a\n---\n- b', 'array', ['a']],
    ['a: 1\na: 2\nb: {c: 1, c: 3}\n', 'map', { a: 2, b: { c: 3 } }],
    ['', 'array', undefined],
    ['null', 'array', undefined],
  ])('%j of type %s is seen as %j', (text, type, value) => {
    expect(unwrapValue(text, type)).toEqual(value);
  });

  it.each([
    ['a', 'array', 'cannot unmarshal string'],
    ['a: 1', 'array', 'cannot unmarshal object'],
    ['{a', 'map', 'error converting YAML to JSON'],
    ['a: .nan', 'map', 'error converting YAML to JSON'],
    ['{null: 1}', 'map', 'error converting YAML to JSON'],
  ])('%j of type %s is refused', (text, type, message) => {
    expect(() => unwrapValue(text, type)).toThrow(message);
  });

  it('without a list prints as an empty one and encodes as null', () => {
    const values = { Params: { P: unwrapValue('', 'array') } };
    expect(renderTemplateText('{{ .Params.P }} {{ toJson .Params.P }} {{ len .Params.P }}', values)).toBe('[] null 0');
  });
});
