import { fromJson } from '@/lib/cel/json-values';
import { type CelValue, EntryMap } from '@/lib/cel/values';
import { parseGoBoolean } from '@/lib/kudo/parameters/go-scalars';
import { effectiveValue, parametersOf } from '@/lib/kudo/parameters/parameters';
import { isUnknownValue } from '@/lib/kudo/plan/unknown-value';
import { unwrapParameter } from '@/lib/kudo/rendering/unwrap';
import type { Instance, OperatorVersion, Parameter } from '@/lib/kudo/types';

/** `params` of an expression, and the names of parameters whose values are not known here. */
export interface PreconditionParameters {
  readonly params: CelValue;
  readonly unknown: ReadonlySet<string>;
}

/**
 * The parameters by their declared type: `integer` an int, `number` a double, `boolean` a bool, `array` and `map` as templates see
 * them, everything else text. A parameter without a value is absent, but a list is empty.
 * @throws RenderError for a list or a map that cannot be read
 */
export function preconditionParameters(
  operatorVersion: OperatorVersion,
  instance: Instance,
  unread: ReadonlySet<string>,
): PreconditionParameters {
  const entries: [string, CelValue][] = [];
  const unknown = new Set(unread);
  for (const parameter of parametersOf(operatorVersion)) {
    const isList = parameter['value-type'] === 'array';
    const text = effectiveValue(parameter, instance.spec?.parameters) ?? (isList ? '' : undefined);
    if (text !== undefined && isUnknownValue(text)) unknown.add(parameter.name);
    else if (text !== undefined && !unknown.has(parameter.name)) entries.push(...entryOf(parameter, text));
  }
  return { params: new EntryMap(entries), unknown };
}

function entryOf(parameter: Parameter, text: string): [string, CelValue][] {
  const value = typedValue(parameter, text);
  return value === undefined ? [] : [[parameter.name, value]];
}

function typedValue(parameter: Parameter, text: string): CelValue | undefined {
  switch (parameter['value-type']) {
    case 'integer':
      return /^[+-]?\d+$/.test(text) ? BigInt(text.replace(/^\+/, '')) : wholeNumber(text);
    case 'number':
      return text === '' || Number.isNaN(Number(text)) ? undefined : Number(text);
    case 'boolean':
      return parseGoBoolean(text);
    case 'array':
    case 'map':
      return fromJson(unwrapParameter(parameter, text));
    default:
      return text;
  }
}

/** A default such as `1e+06`, as Go writes a large number. */
function wholeNumber(text: string): bigint | undefined {
  return text !== '' && Number.isInteger(Number(text)) ? BigInt(Number(text)) : undefined;
}
