import type { JsonObject } from '@/lib/json/json';
import { type ParameterSchema, parameterSchemaOf } from '@/lib/kudo/parameters/parameter-schema';
import { findParameter } from '@/lib/kudo/parameters/parameters';
import type { OperatorVersion } from '@/lib/kudo/types';
import type { FormField, FormGroup } from '@/lib/kudo/view/form-model';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { readExpression } from './expression-text';
import { type SpecForm, specForm } from './spec-form';
import type { OwnKind } from './types';

/** The operator behind a kind. */
export interface OperatorOfKind {
  readonly kind: OwnKind;
  readonly operatorVersion: OperatorVersion;
}

/** The parameter that a field of the spec sets. */
interface FieldParameter {
  readonly name: string;
  /** False when the parameter is made of the field, and is not the same value. */
  readonly isSame: boolean;
}

/**
 * The form of a resource's spec as the operator shows its parameters: a field that sets a parameter has its name, description, hint, group
 * and, when both are the same value, its default and whether it is required. Without an operator it is the form of the schema.
 *
 * @param schema of `spec`
 */
export function operatorForm(schema: JsonSchema, spec: JsonObject, operator: OperatorOfKind | undefined): SpecForm {
  const plain = specForm(schema, spec);
  if (operator === undefined) return plain;
  const { kind, operatorVersion } = operator;
  const traits = parameterSchemaOf(operatorVersion);
  const parameterByField = fieldParameters({ ...kind.instance?.parameters, ...kind.run?.parameters });
  const groupByField = new Map<string, string>();
  const groups = plain.groups.map((group) => ({
    ...group,
    fields: group.fields.map((field) => {
      const parameter = parameterByField.get(field.name);
      if (parameter === undefined) return field;
      const group = traits.parameters.get(parameter.name)?.group;
      if (group !== undefined) groupByField.set(field.name, group);
      return withParameter(field, parameter, { operatorVersion, traits });
    }),
  }));
  return { ...plain, groups: regrouped(groups, groupByField, traits) };
}

/** Which parameter each field of the spec sets, by the path of the field: expressions that name one field only. */
function fieldParameters(mapping: { readonly [parameter: string]: string }): Map<string, FieldParameter> {
  const found = new Map<string, FieldParameter>();
  for (const [name, text] of Object.entries(mapping)) {
    const paths = new Set(pathsIn(text));
    const [path] = paths;
    if (path === undefined || paths.size > 1) continue;
    const isSame = isSameValue(text, path);
    if (isSame || !found.has(path)) found.set(path, { name, isSame });
  }
  return found;
}

const TEMPLATE_PATH = /\.Spec((?:\.[A-Za-z]\w*)+)/g;
const CEL_PATH = /\bself\.spec((?:\.\??[A-Za-z]\w*(?![\w(]))+)/g;

function pathsIn(text: string): string[] {
  const expression = readExpression(text);
  if (expression.is === 'text') return [];
  const pattern = expression.is === 'cel' ? CEL_PATH : TEMPLATE_PATH;
  return [...text.matchAll(pattern)].map(([, path = '']) => path.replaceAll('?', '').slice(1));
}

/** True for `{{ .Spec.a }}`, `${self.spec.a}`, `${self.spec.?a}` and `${has(self.spec.a) ? self.spec.a : null}`. */
function isSameValue(text: string, path: string): boolean {
  const plain = text.replaceAll('.?', '.').replace(/\s+/g, '');
  const cel = `self.spec.${path}`;
  return [`{{.Spec.${path}}}`, `\${${cel}}`, `\${has(${cel})?${cel}:null}`].includes(plain);
}

function withParameter(
  field: FormField,
  { name, isSame }: FieldParameter,
  { operatorVersion, traits }: { readonly operatorVersion: OperatorVersion; readonly traits: ParameterSchema },
): FormField {
  const parameter = findParameter(operatorVersion, name);
  const trait = traits.parameters.get(name);
  const label = trait?.displayName ?? parameter?.displayName ?? '';
  const description = field.description ?? parameter?.description?.trim();
  // The default of the schema is that of the resource, and comes first.
  const byDefault = field.default ?? (isSame ? parameter?.default : undefined);
  const isRequired = isSame && parameter?.required === true && byDefault === undefined;
  return {
    ...field,
    ...(label === '' ? {} : { label }),
    ...(description === undefined || description === '' ? {} : { description }),
    ...(trait?.hint === undefined ? {} : { hint: trait.hint }),
    ...(byDefault === undefined ? {} : { default: byDefault }),
    ...(byDefault !== undefined && !field.isSet ? { value: byDefault } : {}),
    isRequired: field.isRequired || isRequired,
    isAdvanced: trait?.advanced === true,
  };
}

/** Fields of parameters in the groups of the operator, in their order; then the rest as it was. */
function regrouped(
  groups: readonly FormGroup[],
  groupByField: ReadonlyMap<string, string>,
  traits: ParameterSchema,
): FormGroup[] {
  if (groupByField.size === 0) return [...groups];
  const fields = groups.flatMap((group) => group.fields);
  const declared = [...traits.groups].sort((a, b) => (a.priority ?? 0) - (b.priority ?? 0));
  const undeclared = [...new Set(groupByField.values())].filter((name) => !declared.some((each) => each.name === name));
  const own = [...declared, ...undeclared.map((name) => ({ name, displayName: undefined, description: undefined }))];
  const first = own.map(({ name, displayName, description }) => ({
    name: `parameters ${name}`,
    label: displayName ?? name,
    ...(description === undefined ? {} : { description }),
    fields: fields.filter((field) => groupByField.get(field.name) === name),
  }));
  const rest = groups.map((group) => ({
    ...group,
    fields: group.fields.filter((field) => !groupByField.has(field.name)),
  }));
  return [...first, ...rest].filter((group) => group.fields.length > 0);
}
