import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import { dnsLabel1035Problems } from '@/lib/kube/label-syntax';
import { invalid, required } from '@/lib/schema/field-error';
import type { JsonSchema } from '@/lib/schema/json-schema';
import type { FieldError } from '../strategy';
import { validateEmbeddedMetadata } from './validate-embedded-metadata';

/**
 * apiVersion, kind and metadata of every embedded resource (apiextensions schema/objectmeta Validate). The root itself
 * is not looked at.
 */
export function validateEmbedded(value: JsonValue, schema: JsonSchema, path = ''): FieldError[] {
  const errors: FieldError[] = [];
  visit(value, schema, path, errors);
  return errors;
}

function visit(value: JsonValue, schema: JsonSchema, path: string, errors: FieldError[]): void {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items !== undefined)
      for (const [index, item] of value.entries()) visit(item, items, `${path}[${index}]`, errors);
    return;
  }
  if (!isJsonObject(value)) return;
  if (schema['x-kubernetes-embedded-resource'] === true) validateResource(value, path, errors);
  for (const [name, member] of Object.entries(value)) {
    const { properties, additionalProperties } = schema;
    const property = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property !== undefined) visit(member, property, path === '' ? name : `${path}.${name}`, errors);
    else if (isJsonObject(additionalProperties)) {
      visit(member, additionalProperties as JsonSchema, `${path}[${name}]`, errors);
    }
  }
}

function validateResource(resource: JsonObject, path: string, errors: FieldError[]): void {
  const { apiVersion, kind, metadata } = resource;
  for (const name of ['apiVersion', 'kind'] as const) {
    const value = resource[name];
    const field = `${path}.${name}`;
    if (value === undefined) errors.push(required(field));
    else if (typeof value !== 'string') errors.push(invalid(field, value, 'must be a string'));
    else if (value === '') errors.push(invalid(field, value, 'must not be empty'));
  }
  if (typeof apiVersion === 'string' && apiVersion.split('/').length > 2) {
    errors.push(invalid(`${path}.apiVersion`, apiVersion, `unexpected GroupVersion string: ${apiVersion}`));
  }
  if (typeof kind === 'string' && kind !== '') {
    const problems = dnsLabel1035Problems(kind.toLowerCase());
    const text = `may have mixed case, but should otherwise match: ${problems.join(',')}`;
    if (problems.length > 0) errors.push(invalid(`${path}.kind`, kind, text));
  }
  if (isJsonObject(metadata)) errors.push(...validateEmbeddedMetadata(metadata, `${path}.metadata`));
}
