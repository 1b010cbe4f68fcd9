import type { JsonObject } from '@/lib/json/json';
import { hasKnownFormat } from '@/lib/schema/formats';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { objectOf, objectsOf } from '../base/access';
import type { StrategyContext } from '../base/strategy';
import { forEachPart } from './schema-parts';

/**
 * Tells of formats that no value will be checked for (apiextensions getUnrecognizedFormatsInCRD); of those only that an
 * update brings.
 */
export function warnOfFormats(crd: JsonObject, old: JsonObject | undefined, warn: StrategyContext['warn']): void {
  const known = old === undefined ? new Set<string>() : unknownFormats(old);
  for (const format of unknownFormats(crd)) {
    if (!known.has(format)) warn?.(`unrecognized format ${JSON.stringify(format)}`);
  }
}

function unknownFormats(crd: JsonObject): Set<string> {
  const unknown = new Set<string>();
  for (const version of objectsOf(objectOf(crd, 'spec'), 'versions')) {
    const schema = objectOf(objectOf(version, 'schema'), 'openAPIV3Schema');
    if (schema !== undefined) collect(schema as JsonSchema, unknown);
  }
  return unknown;
}

function collect(schema: JsonSchema, unknown: Set<string>): void {
  const { type = '', format = '' } = schema;
  if (format !== '' && !isChecked(type, format)) unknown.add(format);
  forEachPart(schema, '', (part) => collect(part, unknown));
}

function isChecked(type: string, format: string): boolean {
  if (type === '' || type === 'string') return hasKnownFormat(format);
  if (type === 'integer') return format === 'int32' || format === 'int64';
  return type === 'number' && (format === 'float' || format === 'double');
}
