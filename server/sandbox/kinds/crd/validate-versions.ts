import { isJsonObject, type JsonObject, jsonEqual } from '@/lib/json/json';
import { dnsLabel1035Problems } from '@/lib/kube/label-syntax';
import { asInternal } from '../base/access';
import { CheckedField } from '../base/checked-field';
import { validateDefinitionSchema } from './validate-schema';

/** The versions of a definition, with what each carries, and its conversion (apiextensions validation). */
export function validateVersions(crd: CheckedField): void {
  const versions = crd.at('spec', 'versions');
  const names = versions.items.map((version) => version.at('name'));
  for (const name of names) name.check(dnsLabel1035Problems);
  const first = names[0]?.text ?? '';
  // The first version is reported once more, as the API of old named it.
  new CheckedField(crd.faults, first, 'spec.version').check((text) => (text === '' ? [] : dnsLabel1035Problems(text)));
  const storage = versions.items.filter((version) => version.at('storage').value === true);
  const shown = asInternal(versions.value ?? null);
  if (new Set(names.map(({ text }) => text)).size < names.length) {
    versions.invalid('must contain unique version names', shown);
  }
  if (storage.length !== 1) versions.invalid('must have exactly one version marked as storage version', shown);
  const preserve = crd.at('spec', 'preserveUnknownFields');
  if (preserve.value === true) {
    const instead = 'set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
    preserve.invalid(`cannot set to true, ${instead}`);
  }
  validateStored(crd, storage.at(-1)?.at('name').text ?? '');
  validateParts(versions);
  validateConversion(crd.at('spec', 'conversion'));
}

function validateStored(crd: CheckedField, storage: string): void {
  const names = crd.at('spec', 'versions').items.map((version) => version.at('name').text);
  const stored = crd.at('status', 'storedVersions');
  if (stored.items.length === 0) {
    stored.invalid('must have at least one stored version', null);
    return;
  }
  for (const name of stored.items) {
    if (names.includes(name.text)) continue;
    const text = `missing from spec.versions; ${name.text} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name.text} and removes ${name.text} from status.storedVersions`;
    name.invalid(text);
  }
  if (storage !== '' && !stored.texts.includes(storage)) stored.invalid(`must have the storage version ${storage}`);
}

/** Places are those of the internal object. */
function validateConversion(conversion: CheckedField): void {
  if (conversion.at('strategy').text !== 'Webhook') return;
  const webhook = conversion.at('webhook');
  if (!webhook.at('clientConfig').isGiven) {
    conversion.at('webhookClientConfig').required('required when strategy is set to Webhook');
  }
  if (webhook.at('conversionReviewVersions').items.length === 0) conversion.at('conversionReviewVersions').required();
}

/** What a version carries, and where the API reports it when all versions have the same: at the top. */
const PARTS = {
  schema: 'validation',
  additionalPrinterColumns: 'additionalPrinterColumns',
  subresources: 'subresources',
  selectableFields: 'selectableFields',
} as const;

function validateParts(versions: CheckedField): void {
  const { items } = versions;
  const isShared = (part: keyof typeof PARTS) =>
    items.every((version) => jsonEqual(version.at(part).value, items[0]?.at(part).value));
  for (const [index, version] of items.entries()) {
    /** The part of this version, unless another version has reported the same. */
    const partOf = (part: keyof typeof PARTS): CheckedField[] => {
      const own = version.at(part);
      if (!isShared(part)) return [own];
      return index === 0 ? [new CheckedField(own.faults, own.value, `spec.${PARTS[part]}`)] : [];
    };
    const schema = version.at('schema', 'openAPIV3Schema');
    if (!schema.isGiven) schema.required();
    else for (const part of partOf('schema')) validateDefinitionSchema(part.at('openAPIV3Schema'));
    for (const columns of partOf('additionalPrinterColumns')) validateColumns(columns);
    for (const subresources of partOf('subresources')) validateScale(subresources.at('scale'));
    for (const fields of partOf('selectableFields')) {
      // Fields that all versions share are looked for in a schema that all share.
      const isApart = isShared('selectableFields') && !isShared('schema');
      if (!isApart) validateSelectable(fields, schema.object);
      else if (fields.isGiven) fields.invalid('may only be set when validations.schema is included', '');
    }
  }
}

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];

const pathProblems = (path: string) => (path.startsWith('.') ? [] : ['must be a simple json path starting with .']);

function validateColumns(columns: CheckedField): void {
  for (const column of columns.items) {
    column.at('name').name();
    const type = column.at('type');
    const text = `must be one of ${COLUMN_TYPES.join(',')}`;
    if (type.text === '') type.required(text);
    else if (!COLUMN_TYPES.includes(type.text)) type.invalid(text);
    new CheckedField(column.faults, column.at('jsonPath').value, `${column.path}.JSONPath`).name(pathProblems);
  }
}

function validateScale(scale: CheckedField): void {
  if (!scale.isGiven) return;
  const under =
    (words: string, ...roots: readonly string[]) =>
    (path: string) => {
      if (!path.startsWith('.')) return pathProblems(path);
      return roots.some((root) => path.startsWith(`${root}.`)) ? [] : [`should be a json path under ${words}`];
    };
  scale.at('specReplicasPath').name(under('.spec', '.spec'));
  scale.at('statusReplicasPath').name(under('.status', '.status'));
  scale.at('labelSelectorPath').check(under('either .spec or .status', '.spec', '.status'));
}

const SELECTABLE = ['string', 'boolean', 'integer'];

function validateSelectable(fields: CheckedField, schema: JsonObject): void {
  for (const path of fields.items.map((each) => each.at('jsonPath'))) {
    const found = schemaAt(schema, path.text);
    if (typeof found === 'string') path.invalid(`is an invalid path: ${found}`);
    else if (!SELECTABLE.includes(String(found.type))) {
      const text = 'Enum string fields and strings with formats are allowed.';
      path.invalid(`must point to a field of type string, boolean or integer. ${text}`);
    }
  }
}

/** The schema at a path of names, or why the path is none (apiextensions schema/cel ValidFieldPath). */
function schemaAt(schema: JsonObject, path: string): JsonObject | string {
  if (!path.startsWith('.')) return `expected [ or . but got: ${path.split(/[.[]/)[0]}`;
  if (path.endsWith('.')) return 'unexpected end of JSON path';
  if (path.includes('[')) return 'array notation is not allowed';
  let current = schema;
  for (const name of path.slice(1).split('.')) {
    const next = isJsonObject(current.properties) ? current.properties[name] : current.additionalProperties;
    if (!isJsonObject(next)) return 'does not refer to a valid field';
    current = next;
  }
  return current;
}
