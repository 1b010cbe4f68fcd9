import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import { compileCondition } from './compile-condition';

const holds = (expression: string, object: JsonObject | null, oldObject: JsonObject | null = null) =>
  compileCondition(expression)({ object, oldObject, request: { operation: 'UPDATE' } });

describe('compileCondition', () => {
  it('sees whole numbers as integers and others as doubles, at any depth', () => {
    const object = { spec: { replicas: 3, share: 0.5, ports: [{ port: 80, name: 'web' }], text: 'x' } };
    expect(holds('object.spec.replicas % 2 == 1', object)).toBe(true);
    expect(holds('object.spec.share < 0.6', object)).toBe(true);
    expect(holds("object.spec.ports[0].port / 7 == 11 && object.spec.ports[0].name == 'web'", object)).toBe(true);
  });

  it('leaves the objects as they are', () => {
    const object: JsonObject = { spec: { replicas: 3, list: [1, 'a'], map: { a: 'b' } } };
    const before = structuredClone(object);
    expect(holds('object == oldObject', object, before)).toBe(true);
    expect(object).toEqual(before);
  });

  it('sees a member with the name of a prototype as any other', () => {
    const object = JSON.parse('{"data":{"__proto__":{"a":"b"},"c":"d"}}') as JsonObject;
    expect(holds("object.data.size() == 2 && object.data['__proto__'].a == 'b'", object)).toBe(true);
    expect(Object.keys(object.data as JsonObject)).toEqual(['__proto__', 'c']);
  });

  it.each([
    ["sets.contains(object.spec.list, [dyn('a'), dyn(1)])", true],
    ["sets.contains(['a'], object.spec.list)", false],
    ["sets.equivalent(object.spec.list, [dyn(1), dyn('a'), dyn('a')])", true],
    [
      "sets.intersects(object.spec.list, [{'a': 1}, {'b': 15}]) && sets.intersects([{'x': 1, 'y': 2}], [{'y': 2, 'x': 1}])",
      false,
    ],
    ["sets.intersects(object.spec.list, ['b', 'a'])", true],
  ])('knows sets: %s', (expression, expected) => {
    expect(holds(expression, { spec: { list: ['a', 1] } })).toBe(expected);
  });

  it('tells what cannot be evaluated', () => {
    expect(() => holds('object.spec.missing == 1', { spec: {} })).toThrow('no such key: missing');
    expect(() => holds('object.spec.a', { spec: { a: 'text' } })).toThrow('must evaluate to bool but got dyn');
    expect(() => holds('1 +', null)).toThrow('compilation failed');
  });
});
