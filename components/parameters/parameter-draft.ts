import type { FormField, FormGroup } from '@/lib/kudo/form-model';
import { enumProblem, typeProblem } from '@/lib/kudo/parameters';

/**
 * What a person edited, by parameter name: a text, or null for "as by default" (the Instance's own value is taken away).
 * A name that is absent is as it was.
 */
export type ParameterDraft = { readonly [name: string]: string | null };

export interface ParameterChange {
  readonly field: FormField;
  /** The text that holds now; empty for secrets. */
  readonly from: string;
  /** undefined: the default again. */
  readonly to: string | undefined;
}

/** The text that the field would have: the draft's, else what holds now. */
export function draftValue(field: FormField, draft: ParameterDraft): string {
  const drafted = draft[field.name];
  if (drafted === undefined) return field.value;
  return drafted ?? field.default ?? '';
}

/** True when the draft changes what is stored: another text, or an own value taken away. */
export function isChanged(field: FormField, draft: ParameterDraft): boolean {
  const drafted = draft[field.name];
  if (drafted === undefined) return false;
  if (drafted === null) return field.isSet;
  if (field.isSecret) return drafted !== '';
  return drafted !== field.value;
}

/** What the draft changes, in the order of the form. */
export function draftChanges(groups: readonly FormGroup[], draft: ParameterDraft): ParameterChange[] {
  return groups
    .flatMap((group) => group.fields)
    .filter((field) => isChanged(field, draft))
    .map((field) => ({ field, from: field.value, to: draft[field.name] ?? undefined }));
}

/** The values to store for a draft: the Instance's own values with the changes in them. */
export function draftedValues(
  values: { readonly [name: string]: string } | undefined,
  changes: readonly ParameterChange[],
): { [name: string]: string } {
  const result = { ...values };
  for (const { field, to } of changes) {
    if (to === undefined) delete result[field.name];
    else result[field.name] = to;
  }
  return result;
}

/** What is wrong with a text for this field and what to write instead, or undefined. */
export function fieldProblem(field: FormField, value: string): string | undefined {
  if (value === '') return field.isRequired && !field.isSet ? 'Needed: give a value.' : undefined;
  if (typeProblem(field.type, value) !== undefined) return typeHints[field.type];
  if (enumProblem(field.enum, value) !== undefined) return `One of: ${field.enum?.join(', ')}.`;
  return undefined;
}

const typeHints: { readonly [type in FormField['type']]: string } = {
  string: 'Not valid.',
  integer: 'Not a whole number. Write digits only, e.g. 3.',
  number: 'Not a number. Write e.g. 0.5 or 12.',
  boolean: 'Neither true nor false.',
  array: 'Not a list. Write YAML: one line “- item” for each.',
  map: 'Not a map. Write YAML: one line “key: value” for each.',
};

/** The problems of every field that is changed, required or empty; by field name, in the order of the form. */
export function draftProblems(groups: readonly FormGroup[], draft: ParameterDraft): Map<string, string> {
  const problems = new Map<string, string>();
  for (const field of groups.flatMap((group) => group.fields)) {
    const value = draftValue(field, draft);
    const isTouched = field.name in draft;
    if (!isTouched && !(field.isRequired && !field.isSet)) continue;
    const problem = fieldProblem(field, value);
    if (problem !== undefined) problems.set(field.name, problem);
  }
  return problems;
}

export interface FieldFilter {
  readonly query: string;
  readonly only: 'all' | 'changed' | 'required';
}

/** The groups with the fields that the filter leaves; groups without any are left out. */
export function filterFields(
  groups: readonly FormGroup[],
  draft: ParameterDraft,
  { query, only }: FieldFilter,
): FormGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (field: FormField) => {
    if (only === 'changed' && !isChanged(field, draft) && !field.isSet) return false;
    if (only === 'required' && !field.isRequired) return false;
    const text = `${field.name} ${field.label} ${field.description ?? ''} ${field.hint ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return groups
    .map((group) => ({ ...group, fields: group.fields.filter(fits) }))
    .filter((group) => group.fields.length > 0);
}
