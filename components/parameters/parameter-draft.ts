import { enumProblem, typeProblem } from '@/lib/kudo/parameters/parameter-problems';
import type { FormField, FormGroup } from '@/lib/kudo/view/form-model';

/**
 * The edited values by parameter name: a text, or null for the default (the Instance's own value is removed). Parameters that are
 * absent are not edited.
 */
export type ParameterDraft = { readonly [name: string]: string | null };

export interface DraftChange {
  readonly field: FormField;
  /** The current text; empty for secrets. */
  readonly from: string;
  /** The new text; undefined for the default. */
  readonly to: string | undefined;
}

/** The text of the field: the draft's, else the current one. */
export function draftValue(field: FormField, draft: ParameterDraft): string {
  const drafted = draft[field.name];
  if (drafted === undefined) return field.value;
  return drafted ?? field.default ?? '';
}

/** True when the draft changes the stored value: another text, or the own value is removed. */
export function isChanged(field: FormField, draft: ParameterDraft): boolean {
  const drafted = draft[field.name];
  if (drafted === undefined) return false;
  if (drafted === null) return field.isSet;
  if (field.isSecret) return drafted !== '';
  return drafted !== field.value;
}

/** The changes of the draft, in the order of the form. */
export function draftChanges(groups: readonly FormGroup[], draft: ParameterDraft): DraftChange[] {
  return groups
    .flatMap((group) => group.fields)
    .filter((field) => isChanged(field, draft))
    .map((field) => ({ field, from: field.value, to: draft[field.name] ?? undefined }));
}

/** The values to store: the Instance's own values with the changes applied. */
export function draftedValues(
  values: { readonly [name: string]: string } | undefined,
  changes: readonly DraftChange[],
): { [name: string]: string } {
  const result = { ...values };
  for (const { field, to } of changes) {
    if (to === undefined) delete result[field.name];
    else result[field.name] = to;
  }
  return result;
}

const REQUIRED = 'Required.';

/** Why a text is not valid for this field, with the name of the field and what to write instead; undefined when it is valid. */
export function fieldProblem(field: FormField, value: string): string | undefined {
  if (value === '') return field.isRequired && !field.isSet ? REQUIRED : undefined;
  if (typeProblem(field.type, value) !== undefined) return `${field.label} must be ${typeHints[field.type]}.`;
  if (enumProblem(field.enum, value) !== undefined) return `${field.label} must be one of: ${field.enum?.join(', ')}.`;
  return undefined;
}

const typeHints: { readonly [type in FormField['type']]: string } = {
  string: 'a text',
  integer: 'a whole number, for example 3',
  number: 'a number, for example 0.5 or 12',
  boolean: 'true or false',
  array: 'a list in YAML, one line “- item” for each entry',
  map: 'a map in YAML, one line “key: value” for each entry',
};

/** The problem to show at a field: that a value is missing is not said before somebody typed into the field. */
export function shownProblem(
  field: FormField,
  draft: ParameterDraft,
  problems: ReadonlyMap<string, string>,
): string | undefined {
  const problem = problems.get(field.name);
  return problem === REQUIRED && !(field.name in draft) ? undefined : problem;
}

/** What keeps a form from being sent, as a sentence for its button; undefined without problems. */
export function fixText(problems: ReadonlyMap<string, string>, fields: readonly FormField[]): string | undefined {
  const [first] = problems;
  if (first === undefined) return undefined;
  const [name, problem] = first;
  const label = fields.find((field) => field.name === name)?.label ?? name;
  const others = problems.size - 1;
  const rest = others === 0 ? '' : ` and ${others} more ${others === 1 ? 'field' : 'fields'}`;
  return problem === REQUIRED ? `Enter a value for ${label}${rest} to continue.` : `Fix ${label}${rest} to continue.`;
}

/** The problems of every field that is changed, or required and without a value; by name, in the order of the form. */
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

/** The groups with the fields that match the filter; groups without fields are left out. */
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
