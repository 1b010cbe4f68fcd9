import { isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import { readYamlSource } from '@/lib/yaml/yaml';
import { type PackageProblem, problemAt } from '../package/types';

/** A resource of an RGD: a template, or an object that exists already. */
export interface RgdResource {
  readonly id: string;
  /** Of the resource in `spec.resources`. */
  readonly index: number;
  readonly template?: JsonObject;
  readonly external?: JsonObject;
  readonly readyWhen: readonly string[];
  readonly includeWhen: readonly string[];
  /** Keys that have no counterpart. */
  readonly strange: readonly string[];
}

/** A ResourceGraphDefinition of kro (kro.run/v1alpha1). */
export interface Rgd {
  readonly name: string;
  readonly group: string;
  readonly kind: string;
  readonly version: string;
  /** `spec` of the schema, in short form. */
  readonly spec: JsonObject;
  readonly types: JsonObject;
  readonly status: JsonObject;
  readonly columns: readonly JsonValue[];
  readonly resources: readonly RgdResource[];
  /** The line of a value. */
  lineOf(path: readonly (string | number)[]): number;
}

export type RgdRead =
  | { readonly ok: true; readonly rgd: Rgd }
  | { readonly ok: false; readonly problems: readonly PackageProblem[] };

const KNOWN = ['id', 'template', 'externalRef', 'readyWhen', 'includeWhen'];

/** Reads the text of a file with one RGD. @param file for messages */
export function readRgd(file: string, text: string): RgdRead {
  const fail = (message: string, line = 0): RgdRead => ({ ok: false, problems: [problemAt(file, line, message)] });
  if (text.length > limits.packageFileBytes) return fail(`The file is longer than ${limits.packageFileBytes} bytes.`);
  const read = readYamlSource(text);
  if (!read.ok) return fail(read.problems[0]?.message ?? 'The file is no YAML.', read.problems[0]?.line ?? 0);
  const { value, lineOf } = read.source;
  if (!isJsonObject(value) || value.kind !== 'ResourceGraphDefinition') {
    return fail('The file has no ResourceGraphDefinition of kro.run.', 1);
  }
  const schema = objectAt(value, 'spec', 'schema');
  const kind = stringAt(schema, 'kind') ?? '';
  if (!/^[A-Z][A-Za-z0-9]{0,62}$/.test(kind)) return fail('spec.schema.kind is missing.', lineOf(['spec', 'schema']));
  const found = objectAt(value, 'spec').resources;
  const list = Array.isArray(found) ? found : [];
  const resources = list.flatMap((each, index) => (isJsonObject(each) ? [resourceOf(each, index)] : []));
  const columns = schema.additionalPrinterColumns;
  return {
    ok: true,
    rgd: {
      name: stringAt(value, 'metadata', 'name') ?? kind.toLowerCase(),
      group: stringAt(schema, 'group') ?? 'kro.run',
      kind,
      version: stringAt(schema, 'apiVersion') ?? 'v1alpha1',
      spec: objectAt(schema, 'spec'),
      types: objectAt(schema, 'types'),
      status: objectAt(schema, 'status'),
      columns: Array.isArray(columns) ? columns : [],
      resources,
      lineOf,
    },
  };
}

function resourceOf(value: JsonObject, index: number): RgdResource {
  const { template, externalRef } = value;
  return {
    id: stringAt(value, 'id') ?? '',
    index,
    readyWhen: texts(value.readyWhen),
    includeWhen: texts(value.includeWhen),
    strange: Object.keys(value).filter((key) => !KNOWN.includes(key)),
    ...(isJsonObject(template) ? { template } : {}),
    ...(isJsonObject(externalRef) ? { external: externalRef } : {}),
  };
}

function texts(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
