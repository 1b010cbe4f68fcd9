import { describe, expect, it } from 'vitest';
import { parameterProblem, typeProblem } from './parameter-problems';
import { formatParameterSchema, parseParameterSchema } from './parameter-schema';
import { effectiveValue, isSecretParameter, missingParameters, parameterDiff } from './parameters';

describe('parameters', () => {
  it.each([
    [
      'PRM-01 integer',
      'integer',
      ['42', '-7', '+1', '9223372036854775807'],
      ['4.2', '1e3', ' 1', '1_000', '9223372036854775808', 'abc'],
    ],
    [
      'PRM-02 number',
      'number',
      ['3.1415', '1e3', '0x1p-2', 'Inf', '-inf', 'NaN', '.5', '1.', '1_000.5'],
      ['abc', '1e', '', ' 1', '1e999', '_1'].filter((text) => text !== ''),
    ],
    ['PRM-03 boolean', 'boolean', ['true', 'T', '0', 'FALSE'], ['yes', 'tRUE', 'on']],
    ['PRM-04 array', 'array', ['[ a, b ]', '- a\n- b\n', 'null'], ['foo', 'a: b']],
    ['PRM-05 map', 'map', ['{a: b}', 'a: b\n', 'null'], ['[a]', 'foo', '{a']],
    ['a map with a key twice', 'map', ['a: 1\na: 2\n', 'a: 1\n---\nb: 2\n'], ['a: 1\na: [\n', '[a]\n---\na: 1\n']],
    ['PRM-06 untyped', undefined, ['anything', '42'], []],
    ['an unknown type', 'quantity', ['anything'], []],
  ] as const)('%s', (_, type, good, bad) => {
    for (const text of good) expect(typeProblem(type, text), text).toBeUndefined();
    for (const text of bad) expect(typeProblem(type, text), text).toBeTypeOf('string');
  });

  it('says what is wrong in the words of KUDO', () => {
    expect(parameterProblem({ name: 'X', 'value-type': 'integer' }, 'a')).toBe(
      'parameter "X" has an invalid value "a": type is "integer" but format of "a" is invalid: strconv.ParseInt: parsing "a": invalid syntax',
    );
    expect(parameterProblem({ name: 'X', enum: ['a', 'b'] }, 'V')).toBe(
      'parameter "X" has an invalid value "V": value is "V", but only allowed values are [a b]',
    );
    expect(parameterProblem({ name: 'X', required: true }, '')).toBe('parameter "X" is required but has no value set');
  });

  it('PRM-10 an explicit empty text wins over the default', () => {
    expect(effectiveValue({ name: 'p', default: 'x' }, { p: '' })).toBe('');
    expect(effectiveValue({ name: 'p', default: 'x' }, {})).toBe('x');
    expect(effectiveValue({ name: 'constructor' }, {})).toBeUndefined();
  });

  it('PRM-23 a diff names what changed and what is gone', () => {
    const { changed, removed } = parameterDiff({ one: '1', two: '2' }, { one: '11' });
    expect(changed).toEqual(new Map([['one', '11']]));
    expect(removed).toEqual(new Map([['two', '2']]));
  });

  it('PKG-138 required parameters without default are missing until they are given', () => {
    const operatorVersion = {
      apiVersion: 'kudo.dev/v1beta1',
      kind: 'OperatorVersion',
      metadata: {},
      spec: {
        parameters: [
          { name: 'param', required: true },
          { name: 'param2', required: true },
          { name: 'kept', required: true, default: '' },
          { name: 'free', required: false },
        ],
      },
    };
    expect(missingParameters(operatorVersion, {})).toEqual(['param', 'param2']);
    expect(missingParameters(operatorVersion, { param: 'x', param2: '' })).toEqual(['param2']);
  });

  it('a parameter is secret by its name or because the package says so', () => {
    const schema = parseParameterSchema('{"parameters":{"PIN":{"secret":true}}}');
    expect(isSecretParameter('db_password')).toBe(true);
    expect(isSecretParameter('API_TOKEN')).toBe(true);
    expect(isSecretParameter('REPLICAS')).toBe(false);
    expect(isSecretParameter('PIN', schema)).toBe(true);
  });

  it('the parameter schema survives writing and reading, and nonsense is left out', () => {
    const text =
      '{"groups":[{"name":"a","displayName":"A","priority":1},7],"parameters":{"X":{"group":"a","advanced":true,"hint":3}}}';
    const schema = parseParameterSchema(text);
    expect(schema.groups).toEqual([{ name: 'a', displayName: 'A', priority: 1 }]);
    expect(schema.parameters.get('X')).toEqual({ group: 'a', advanced: true });
    expect(parseParameterSchema(formatParameterSchema(schema) ?? '')).toEqual(schema);
    expect(parseParameterSchema('not json').parameters.size).toBe(0);
    expect(formatParameterSchema({ groups: [], parameters: new Map() })).toBeUndefined();
  });
});
