import type { JsonValue } from '@/lib/json/json';
import type { PackageParameter } from '@/lib/kudo/package/types';
import { isSecretParameter } from '@/lib/kudo/parameters/parameters';
import type { JsonSchema } from '@/lib/schema/json-schema';

/** What `fromParameters: true` gives: the schema of `spec`, and the mapping of its fields. */
export interface FromParameters {
  readonly schema: JsonSchema;
  /** Parameter → expression. */
  readonly mapping: { readonly [name: string]: string };
}

/**
 * One field for each parameter that is not secret: `NODE_COUNT` becomes `nodeCount`, with type, default, enum and description of the
 * parameter. Secret values stay out, because whoever may read the resource would see them.
 */
export function schemaFromParameters(parameters: readonly PackageParameter[]): FromParameters {
  const shown = parameters.filter(({ name, secret }) => secret !== true && !isSecretParameter(name));
  const properties = Object.fromEntries(shown.map((each) => [fieldName(each.name), fieldOf(each)]));
  const required = shown
    .filter((each) => each.required && each.default === undefined && !isComplex(each))
    .map(({ name }) => fieldName(name));
  const mapping = Object.fromEntries(
    shown.map(({ name }) => [name, `\${has(self.spec.${fieldName(name)}) ? self.spec.${fieldName(name)} : null}`]),
  );
  return { schema: { type: 'object', properties, ...(required.length === 0 ? {} : { required }) }, mapping };
}

/** `NODE_COUNT` → `nodeCount`; a name that is in camel case already stays. */
function fieldName(parameter: string): string {
  const isMixed = /[a-z]/.test(parameter) && /[A-Z]/.test(parameter);
  const words = (isMixed ? parameter : parameter.toLowerCase()).split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const name = words
    .map((word, index) => (index === 0 ? lowerFirst(word) : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');
  return /^[0-9]/.test(name) ? `p${name}` : name;
}

function lowerFirst(word: string): string {
  return word.charAt(0).toLowerCase() + word.slice(1);
}

const TYPES: { readonly [type: string]: JsonSchema } = {
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  array: { type: 'array', items: { 'x-kubernetes-preserve-unknown-fields': true } },
  map: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
};

function fieldOf(parameter: PackageParameter): JsonSchema {
  const { type = 'string', description, immutable } = parameter;
  const schema = TYPES[type] ?? { type: 'string' };
  const members = (parameter.enum ?? []).map((each) => typed(each, type)).filter((each) => each !== undefined);
  const byDefault = isComplex(parameter) ? undefined : typed(parameter.default ?? null, type);
  return {
    ...schema,
    ...(description === undefined ? {} : { description }),
    ...(members.length === 0 ? {} : { enum: members }),
    ...(byDefault === undefined ? {} : { default: byDefault }),
    ...(immutable
      ? { 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'the field is immutable' }] }
      : {}),
  };
}

function isComplex({ type }: PackageParameter): boolean {
  return type === 'array' || type === 'map';
}

/** A value of params.yaml with its type; undefined for none, and for one that is not of the type. */
function typed(value: JsonValue, type: string): JsonValue | undefined {
  if (value === null) return undefined;
  if (type === 'string') return typeof value === 'object' ? undefined : String(value);
  if (type === 'boolean') {
    const text = String(value).toLowerCase();
    return text === 'true' ? true : text === 'false' ? false : undefined;
  }
  const number = typeof value === 'number' ? value : Number(String(value));
  if (String(value).trim() === '' || !Number.isFinite(number)) return undefined;
  return type === 'integer' && !Number.isInteger(number) ? undefined : number;
}
