import { isJsonObject } from '@/lib/json/json';
import { isAscii, toBytes } from './bytes';
import { ANY_SLICE, STRING_MAP } from './types';
import { GoComplex, GoInt, GoMap, GoObject, GoSlice, type Value } from './value';

/**
 * A Go value of plain JSON data, as KUDO passes parameters to templates: numbers are float64, lists `[]interface{}`,
 * objects `map[string]interface{}`; undefined is a nil list. Values of the engine's own types are not converted.
 * Own properties only.
 */
export function valueFromJson(value: unknown): Value {
  switch (typeof value) {
    case 'string':
      return isAscii(value) ? value : toBytes(value);
    case 'number':
    case 'boolean':
      return value;
    case 'bigint':
      return Number(value);
    case 'object':
      return value === null ? null : fromObject(value);
    case 'undefined':
      return NIL_LIST;
    default:
      return null;
  }
}

const NIL_LIST = new GoSlice(ANY_SLICE, [], true);

function fromObject(value: object): Value {
  if (Array.isArray(value)) return new GoSlice(ANY_SLICE, value.map(valueFromJson));
  if (isEngineValue(value)) return value;
  return GoMap.over(value, valueFromJson);
}

/** The variables of a template: as {@link valueFromJson}, but `.Pipes` is a `map[string]string`, as KUDO passes it. */
export function rootFromJson(values: unknown): Value {
  if (typeof values !== 'object' || values === null || Array.isArray(values) || isEngineValue(values)) {
    return valueFromJson(values);
  }
  return GoMap.over(values, (value, name) => (name === 'Pipes' ? pipesFromJson(value) : valueFromJson(value)));
}

function pipesFromJson(value: unknown): Value {
  if (!isJsonObject(value) || isEngineValue(value)) return valueFromJson(value);
  return GoMap.of(
    STRING_MAP,
    Object.entries(value).map(([key, name]) => [toBytes(key), toBytes(String(name))]),
  );
}

function isEngineValue(value: object): value is GoMap | GoSlice | GoInt | GoComplex | GoObject {
  return (
    value instanceof GoMap ||
    value instanceof GoSlice ||
    value instanceof GoInt ||
    value instanceof GoComplex ||
    value instanceof GoObject
  );
}
