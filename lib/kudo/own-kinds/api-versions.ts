import type { JsonObject } from '@/lib/json/json';
import { defined, type Fields } from '@/lib/kudo/package/fields';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { readMap, reportStrangeKeys } from './api-keys';
import { shortFormSchema } from './short-form';
import type { OwnColumn, OwnScale, OwnVersion } from './types';

/** A version as it is written: `storage` may be left out where there is only one. */
export interface VersionDraft {
  readonly version: Omit<OwnVersion, 'storage'>;
  readonly storage: boolean | undefined;
  readonly isFromParameters: boolean;
}

/** @param fromParameters the schema of `spec` that `fromParameters: true` means */
export function readVersion(fields: Fields, fromParameters: JsonSchema): VersionDraft {
  reportStrangeKeys(fields, ['name', 'served', 'storage', 'deprecated', 'schema', 'printerColumns', 'scale']);
  if (fields.text('name') === undefined) fields.problem('name', 'a version needs a "name" such as v1');
  let isFromParameters = false;
  const schema = fields.child('schema', (each) => {
    isFromParameters = each.flag('fromParameters') === true;
    return readSchema(each, isFromParameters ? fromParameters : undefined);
  });
  if (schema === undefined && !fields.has('schema')) fields.problem('schema', 'a version needs a "schema"');
  return {
    version: {
      name: fields.text('name') ?? '',
      served: fields.flag('served') ?? true,
      schema: schema ?? { type: 'object' },
      ...defined({
        deprecated: fields.flag('deprecated'),
        printerColumns: fields.has('printerColumns') ? fields.list('printerColumns', readColumn) : undefined,
        scale: fields.child('scale', readScale),
      }),
    },
    storage: fields.flag('storage'),
    isFromParameters,
  };
}

/** The schema of the whole resource. */
function readSchema(fields: Fields, fromParameters: JsonSchema | undefined): JsonSchema {
  reportStrangeKeys(fields, ['spec', 'status', 'types', 'openAPIV3Schema', 'fromParameters']);
  const given = ['spec', 'openAPIV3Schema', 'fromParameters'].filter((key) => fields.any(key) !== undefined);
  if (given.length !== 1) {
    fields.problem(
      'spec',
      '"schema" needs exactly one of "spec" (short form), "openAPIV3Schema" and "fromParameters: true"',
    );
  }
  const open = readMap(fields, 'openAPIV3Schema');
  if (open !== undefined) return open as JsonSchema;
  const types = readMap(fields, 'types') ?? {};
  const spec = fromParameters ?? readShort(fields, 'spec', types);
  const status = fields.has('status') ? readShort(fields, 'status', types) : undefined;
  return { type: 'object', properties: { spec, ...(status === undefined ? {} : { status }) } };
}

function readShort(fields: Fields, key: string, types: JsonObject): JsonSchema {
  const map = readMap(fields, key);
  if (map === undefined) return { type: 'object' };
  const { schema, problems } = shortFormSchema(map, types);
  for (const { path, message } of problems)
    fields.problemBelow([key, ...path], `${[key, ...path].join('.')}: ${message}`);
  return schema;
}

function readColumn(fields: Fields): OwnColumn {
  reportStrangeKeys(fields, ['name', 'type', 'jsonPath', 'description', 'priority']);
  for (const key of ['name', 'jsonPath']) {
    if (fields.text(key) === undefined) fields.problem(key, `a printer column needs "${key}"`);
  }
  return {
    name: fields.text('name') ?? '',
    type: fields.text('type') ?? 'string',
    jsonPath: fields.text('jsonPath') ?? '',
    ...defined({ description: fields.text('description'), priority: fields.whole('priority') }),
  };
}

function readScale(fields: Fields): OwnScale {
  reportStrangeKeys(fields, ['specReplicasPath', 'statusReplicasPath', 'labelSelectorPath']);
  if (fields.text('specReplicasPath') === undefined) {
    fields.problem('specReplicasPath', '"scale" needs "specReplicasPath" such as .spec.size');
  }
  return {
    specReplicasPath: fields.text('specReplicasPath') ?? '',
    statusReplicasPath: fields.text('statusReplicasPath') ?? '.status.replicas',
    labelSelectorPath: fields.text('labelSelectorPath') ?? '.status.selector',
  };
}
