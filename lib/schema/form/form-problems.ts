import type { JsonObject } from '@/lib/json/json';
import { fieldErrorWords } from '@/lib/yaml/field-error-words';
import { validateRules } from '../cel/validate-rules';
import type { SchemaFieldError } from '../field-error';
import type { JsonSchema, ValidationRule } from '../json-schema';
import { validateBySchema } from '../validate-by-schema';
import { validateListSets } from '../validate-list-sets';
import { plainFieldText } from './field-path';

/** One thing that is wrong, at the field as {@link fieldPathText} writes it; empty for the whole object. */
export interface FormProblem {
  readonly field: string;
  /** A sentence that names the field. */
  readonly message: string;
}

/**
 * Everything wrong with an object by its schema: shape, lists of sets, and the rules in CEL (`x-kubernetes-validations`), which see the value before
 * an update. A rule that cannot run says nothing here: the API server decides.
 *
 * @param old the object before an update; parts that did not change are not checked again
 */
export function formProblems(schema: JsonSchema, value: JsonObject, old?: JsonObject): FormProblem[] {
  const shape = [...validateBySchema(value, schema, '', old), ...validateListSets(value, schema)];
  const found = new Map<string, FormProblem>();
  const add = (problem: FormProblem) => found.set(`${problem.field} ${problem.message}`, problem);
  for (const error of shape) add({ field: fieldOf(error.field), message: fieldErrorWords(error) });
  // Rules expect values of their types.
  if (shape.length === 0) for (const error of ruleErrors(schema, value, old)) add(ruleProblem(error));
  return [...found.values()];
}

function ruleErrors(schema: JsonSchema, value: JsonObject, old: JsonObject | undefined): readonly SchemaFieldError[] {
  const { status: _status, ...properties } = schema.properties ?? {};
  // The same schema without status must be the same object each time, for the compiled rules.
  const known = withoutStatus.get(schema) ?? { ...schema, properties };
  withoutStatus.set(schema, known);
  return validateRules(known)?.(value, old) ?? [];
}

const withoutStatus = new WeakMap<JsonSchema, JsonSchema>();

function ruleProblem({ field, message }: SchemaFieldError): FormProblem {
  const place = fieldOf(field);
  const said = message.replace(/^(Invalid value|Required value|Forbidden|Duplicate value): /, '');
  const detail = /^(?:"(?:[^"\\]|\\.)*"|[\w.+-]+): (.+)$/s.exec(said)?.[1] ?? said;
  return { field: place, message: place === '' ? detail : `\`${place}\`: ${detail}` };
}

function fieldOf(field: string): string {
  return field === '<nil>' ? '' : plainFieldText(field);
}

/**
 * Why a member of an object can no longer be changed: a rule of the member (`self == oldSelf`) or of its object
 * (`self.name == oldSelf.name`) says so. Undefined for members that can change, and while the member has no value yet.
 */
export function immutableBecause(parent: JsonSchema, name: string): string | undefined {
  const own = parent.properties?.[name]?.['x-kubernetes-validations'] ?? [];
  const ofParent = parent['x-kubernetes-validations'] ?? [];
  const found = own.find(({ rule }) => isSame(rule, '')) ?? ofParent.find(({ rule }) => isSame(rule, `.${name}`));
  return found === undefined ? undefined : messageOf(found, name);
}

function isSame(rule: string, member: string): boolean {
  const words = rule.replace(/\s+/g, '');
  return words === `self${member}==oldSelf${member}` || words === `oldSelf${member}==self${member}`;
}

function messageOf({ message }: ValidationRule, name: string): string {
  return message ?? `${name} cannot change after the object was created.`;
}
