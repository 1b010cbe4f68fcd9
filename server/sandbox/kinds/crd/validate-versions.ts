import { type JsonObject, type JsonValue, jsonEqual } from '@/lib/json/json';
import { dnsLabel1035Problems } from '@/lib/kube/label-syntax';
import { invalid, required } from '@/lib/schema/field-error';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { asInternal, objectOf, objectsOf, textOf, textsOf } from '../base/access';
import type { Faults } from '../base/kind-rules';
import { validateDefinitionSchema } from './validate-schema';

/** The versions of a definition, with what each carries (apiextensions validation). */
export function validateVersions(crd: JsonObject, faults: Faults): void {
  const spec = objectOf(crd, 'spec') ?? {};
  const versions = objectsOf(spec, 'versions');
  const names = versions.map((version) => textOf(version, 'name'));
  for (const [index, name] of names.entries()) {
    for (const problem of dnsLabel1035Problems(name))
      faults.push(invalid(`spec.versions[${index}].name`, name, problem));
  }
  const [first = ''] = names;
  const ofFirst = first === '' ? [] : dnsLabel1035Problems(first);
  const shown = Array.isArray(spec.versions) ? JSON.stringify(shownVersions(versions)) : 'null';
  const ofVersions = (text: string): Faults[number] => {
    return { field: 'spec.versions', type: 'FieldValueInvalid', message: `Invalid value: ${shown}: ${text}` };
  };
  const storage = versions.filter((version) => version.storage === true);
  if (new Set(names).size < names.length) faults.push(ofVersions('must contain unique version names'));
  if (storage.length !== 1) {
    faults.push(ofVersions('must have exactly one version marked as storage version'));
  }
  for (const problem of ofFirst) faults.push(invalid('spec.version', first, problem));
  if (spec.preserveUnknownFields === true) {
    const text =
      'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
    faults.push(invalid('spec.preserveUnknownFields', true, text));
  }
  validateStored(crd, names, textOf(storage.at(-1), 'name'), faults);
  validateParts(versions, faults);
}

function validateStored(crd: JsonObject, names: readonly string[], storage: string, faults: Faults): void {
  const field = 'status.storedVersions';
  const stored = textsOf(objectOf(crd, 'status'), 'storedVersions');
  if (stored.length === 0) {
    faults.push(invalid(field, null, 'must have at least one stored version'));
    return;
  }
  for (const [index, name] of stored.entries()) {
    if (names.includes(name)) continue;
    const text = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    faults.push(invalid(`${field}[${index}]`, name, text));
  }
  if (storage !== '' && !stored.includes(storage)) {
    faults.push(invalid(field, stored, `must have the storage version ${storage}`));
  }
}

/** Versions as the API server prints its internal ones: parts that all share have moved to the top. */
function shownVersions(versions: readonly JsonObject[]): JsonValue {
  const own = (part: string, version: JsonObject): JsonValue => {
    const [first, ...rest] = versions;
    const same = rest.every((other) => jsonEqual(other[part] ?? null, first?.[part] ?? null));
    return same ? null : asInternal(version[part] ?? null);
  };
  return versions.map((version) => ({
    Name: textOf(version, 'name'),
    Served: version.served === true,
    Storage: version.storage === true,
    Deprecated: version.deprecated === true,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: own('schema', version),
    Subresources: own('subresources', version),
    AdditionalPrinterColumns: own('additionalPrinterColumns', version),
    SelectableFields: own('selectableFields', version),
  }));
}

/** The path under which a part of a version is reported: at the top when all versions have the same part, else in its version. */
function placeOf(versions: readonly JsonObject[], part: string, top: string, own: string): (index: number) => string {
  const [first, ...rest] = versions;
  const same = rest.every((version) => jsonEqual(version[part] ?? null, first?.[part] ?? null));
  return (index) => (same ? `spec.${top}` : `spec.versions[${index}].${own}`);
}

function validateParts(versions: readonly JsonObject[], faults: Faults): void {
  const schemaPlace = placeOf(versions, 'schema', 'validation.openAPIV3Schema', 'schema.openAPIV3Schema');
  const columnPlace = placeOf(
    versions,
    'additionalPrinterColumns',
    'additionalPrinterColumns',
    'additionalPrinterColumns',
  );
  const subresourcePlace = placeOf(versions, 'subresources', 'subresources', 'subresources');
  const selectablePlace = placeOf(versions, 'selectableFields', 'selectableFields', 'selectableFields');
  const seen = new Set<string>();
  const once = (place: string, check: () => void): void => {
    if (!seen.has(place)) check();
    seen.add(place);
  };
  for (const [index, version] of versions.entries()) {
    const schema = objectOf(objectOf(version, 'schema'), 'openAPIV3Schema');
    if (schema === undefined) faults.push(required(`spec.versions[${index}].schema.openAPIV3Schema`));
    else {
      const place = schemaPlace(index);
      once(place, () => validateDefinitionSchema(schema as JsonSchema, place, faults));
    }
    once(columnPlace(index), () => validateColumns(version, columnPlace(index), faults));
    once(subresourcePlace(index), () => validateScale(version, `${subresourcePlace(index)}.scale`, faults));
    once(selectablePlace(index), () => {
      const place = selectablePlace(index);
      const apart = !place.includes('versions[') && schemaPlace(index).includes('versions[');
      // Fields that all versions share are looked for in a schema that all share.
      if (!apart) validateSelectable(version, schema, place, faults);
      else if (objectsOf(version, 'selectableFields').length > 0) {
        faults.push(invalid(place, '', 'may only be set when validations.schema is included'));
      }
    });
  }
}

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];

function validateColumns(version: JsonObject, place: string, faults: Faults): void {
  for (const [index, column] of objectsOf(version, 'additionalPrinterColumns').entries()) {
    const field = `${place}[${index}]`;
    if (textOf(column, 'name') === '') faults.push(required(`${field}.name`));
    const type = textOf(column, 'type');
    if (type === '') faults.push(required(`${field}.type`, `must be one of ${COLUMN_TYPES.join(',')}`));
    else if (!COLUMN_TYPES.includes(type)) {
      faults.push(invalid(`${field}.type`, type, `must be one of ${COLUMN_TYPES.join(',')}`));
    }
    const path = textOf(column, 'jsonPath');
    if (path === '') faults.push(required(`${field}.JSONPath`));
    else if (!path.startsWith('.')) {
      faults.push(invalid(`${field}.JSONPath`, path, 'must be a simple json path starting with .'));
    }
  }
}

function validateScale(version: JsonObject, field: string, faults: Faults): void {
  const scale = objectOf(objectOf(version, 'subresources'), 'scale');
  if (scale === undefined) return;
  const under = (key: string, roots: readonly string[], words: string): void => {
    const path = textOf(scale, key);
    if (path === '') {
      if (key !== 'labelSelectorPath') faults.push(required(`${field}.${key}`));
    } else if (!path.startsWith('.')) {
      faults.push(invalid(`${field}.${key}`, path, 'must be a simple json path starting with .'));
    } else if (!roots.some((root) => path.startsWith(`${root}.`))) {
      faults.push(invalid(`${field}.${key}`, path, `should be a json path under ${words}`));
    }
  };
  under('specReplicasPath', ['.spec'], '.spec');
  under('statusReplicasPath', ['.status'], '.status');
  under('labelSelectorPath', ['.spec', '.status'], 'either .spec or .status');
}

const SELECTABLE = ['string', 'boolean', 'integer'];

function validateSelectable(version: JsonObject, schema: JsonObject | undefined, place: string, faults: Faults): void {
  for (const [index, each] of objectsOf(version, 'selectableFields').entries()) {
    const path = textOf(each, 'jsonPath');
    const field = `${place}[${index}].jsonPath`;
    const found = schemaAt(schema, path);
    if (typeof found === 'string') {
      faults.push(invalid(field, path, `is an invalid path: ${found}`));
      continue;
    }
    if (!SELECTABLE.includes(textOf(found, 'type'))) {
      const text =
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
      faults.push(invalid(field, path, text));
    }
  }
}

/** The schema at a path of names, or why the path is none (apiextensions schema/cel ValidFieldPath). */
function schemaAt(schema: JsonObject | undefined, path: string): JsonObject | string {
  let current = schema;
  const tokens = path.match(/[.[\]]|[^.[\]]+/g) ?? [];
  for (let index = 0; index < tokens.length; index += 2) {
    const delimiter = tokens[index] ?? '';
    if (delimiter === '[') return 'array notation is not allowed';
    if (delimiter !== '.') return `expected [ or . but got: ${delimiter}`;
    const name = tokens[index + 1];
    if (name === undefined) return 'unexpected end of JSON path';
    const properties = objectOf(current, 'properties');
    current = properties === undefined ? objectOf(current, 'additionalProperties') : objectOf(properties, name);
    if (current === undefined) return 'does not refer to a valid field';
  }
  return current ?? 'does not refer to a valid field';
}
