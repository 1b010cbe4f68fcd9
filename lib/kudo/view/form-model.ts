import { triggerOf } from '@/lib/kudo/admission/trigger-of';
import { hasPlan, planTitle } from '@/lib/kudo/names';
import { ownerLinkOf } from '@/lib/kudo/own-kinds/names';
import { ownKindOf } from '@/lib/kudo/own-kinds/stored-api';
import {
  type ParameterPicker,
  type ParameterSchema,
  parameterSchemaOf,
  type ReferenceTrait,
} from '@/lib/kudo/parameters/parameter-schema';
import { effectiveValue, isSecretParameter, parametersOf } from '@/lib/kudo/parameters/parameters';
import { INSTANCE_TYPE } from '@/lib/kudo/references/reference-target';
import { deletePlanOf, restorePlanOf } from '@/lib/kudo/runs/backup-plans';
import { parameterSourceOf, type Source, sourceWords } from '@/lib/kudo/sources/parameter-source';
import type { Instance, OperatorVersion, Parameter, ParameterType } from '@/lib/kudo/types';

/** The parameters of an OperatorVersion as a form: groups in the order to show them, fields in the package's order. */
export interface FormGroup {
  readonly name: string;
  readonly label: string;
  readonly description?: string;
  readonly fields: readonly FormField[];
}

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly description?: string;
  readonly hint?: string;
  readonly type: ParameterType;
  /** The current text: the Instance's own value, else the default, else empty. Always empty for a secret. */
  readonly value: string;
  /** True when the Instance sets a value of its own. */
  readonly isSet: boolean;
  /** Undefined without a default, and for a secret. */
  readonly default?: string;
  /** True when a value must be entered: required, and without default. */
  readonly isRequired: boolean;
  readonly isImmutable: boolean;
  /** Why the field cannot be edited now, as a sentence. */
  readonly lockedBecause?: string;
  readonly enum?: readonly string[];
  /** The plan that a change starts; undefined when a change is refused. */
  readonly plan?: string;
  readonly isSecret: boolean;
  /** `Secret db-parameters, key PASSWORD`: where the value comes from when the Instance does not hold it. */
  readonly source?: string;
  readonly isAdvanced: boolean;
  /** What the value may be chosen from; only for an Instance that exists. */
  readonly picker?: ParameterPicker;
  /** What it may name: another Instance, or a connection. Only for a parameter of type `instance`. */
  readonly reference?: ReferenceTrait & {
    /** The namespace of the Instance; absent while it does not exist. */
    readonly home?: string;
  };
}

const TYPES = new Set<string>(['string', 'integer', 'number', 'boolean', 'array', 'map']);

/**
 * The form for an OperatorVersion: with the values of an Instance, or for an install. Groups come from params.yaml, in the
 * order of their priority; where a package declares none, parameters are grouped by the plan that a change starts.
 */
export function formModel(operatorVersion: OperatorVersion, instance?: Instance): FormGroup[] {
  const schema = parameterSchemaOf(operatorVersion);
  const context = { operatorVersion, schema, instance };
  const fields = parametersOf(operatorVersion).map((parameter) => ({
    group: schema.parameters.get(parameter.name)?.group ?? '',
    field: withPicker(withReference(fieldOf(parameter, context), parameter, context), context),
  }));
  const hasGroups = schema.groups.length > 0 || fields.some(({ group }) => group !== '');
  return hasGroups ? byGroup(fields, schema) : byPlan(fields.map(({ field }) => field));
}

interface FieldContext {
  readonly operatorVersion: OperatorVersion;
  readonly schema: ParameterSchema;
  readonly instance: Instance | undefined;
}

/** What a field says about the source of its value. The console edits Secrets, not ConfigMaps. */
function sourceFields(source: Source | undefined): Pick<FormField, 'source' | 'lockedBecause'> {
  if (source === undefined) return {};
  const words = sourceWords(source);
  return source.kind === 'Secret'
    ? { source: words }
    : { source: words, lockedBecause: `The value is in ${words}. Change it there.` };
}

/** A parameter that the resource of an own kind sets is changed in that resource: here the controller would set it back. */
function ownedFields(
  parameter: string,
  { operatorVersion, instance }: Pick<FieldContext, 'operatorVersion' | 'instance'>,
): Pick<FormField, 'lockedBecause'> {
  const owner = instance === undefined ? undefined : ownerLinkOf(instance);
  if (owner === undefined) return {};
  const { parameters = {} } = ownKindOf(operatorVersion, owner)?.instance ?? {};
  if (!Object.hasOwn(parameters, parameter)) return {};
  return { lockedBecause: `${owner.kind} ${owner.name} sets the value. Change it there.` };
}

function fieldOf(parameter: Parameter, { operatorVersion, schema, instance }: FieldContext): FormField {
  const { name, displayName, description, enum: members } = parameter;
  const traits = schema.parameters.get(name);
  const source = parameterSourceOf(instance?.spec, name);
  const isSecret = source?.kind === 'Secret' || isSecretParameter(name, schema);
  const values = instance?.spec?.parameters;
  const isImmutable = parameter.immutable === true;
  const trigger = triggerOf(operatorVersion, [name]);
  const label = traits?.displayName ?? displayName ?? '';
  const type = parameter['value-type'] ?? '';
  return {
    name,
    label: label === '' ? name : label,
    ...(description === undefined || description === '' ? {} : { description: description.trim() }),
    ...(traits?.hint === undefined ? {} : { hint: traits.hint }),
    type: TYPES.has(type) ? (type as ParameterType) : 'string',
    value: isSecret ? '' : (effectiveValue(parameter, values) ?? ''),
    isSet: source !== undefined || (values !== undefined && Object.hasOwn(values, name)),
    ...(parameter.default === undefined || isSecret ? {} : { default: parameter.default }),
    isRequired: parameter.required === true && parameter.default === undefined,
    isImmutable,
    ...(isImmutable && instance !== undefined ? { lockedBecause: 'Its value is set at installation only.' } : {}),
    ...sourceFields(source),
    ...ownedFields(name, { operatorVersion, instance }),
    ...(members === undefined || members === null || members.length === 0 ? {} : { enum: members }),
    ...(trigger.kind === 'plan' ? { plan: trigger.plan } : {}),
    isSecret,
    isAdvanced: traits?.advanced === true,
  };
}

function withReference(field: FormField, parameter: Parameter, { schema, instance }: FieldContext): FormField {
  if (parameter['value-type'] !== INSTANCE_TYPE) return field;
  const home = instance?.metadata.namespace;
  const reference = { ...schema.parameters.get(parameter.name)?.reference, ...(home === undefined ? {} : { home }) };
  return { ...field, reference };
}

/** The parameters by which plans that restore or delete name a backup have a picker, also when their package does not say so. */
function withPicker(field: FormField, { operatorVersion, schema, instance }: FieldContext): FormField {
  if (instance === undefined || field.isSecret) return field;
  const picker = schema.parameters.get(field.name)?.picker;
  if (picker !== undefined) return { ...field, picker };
  const named = [restorePlanOf(operatorVersion), deletePlanOf(operatorVersion)];
  return named.some((found) => found?.parameter === field.name) ? { ...field, picker: 'backup' } : field;
}

const OTHER = 'Other';

function byGroup(fields: readonly { group: string; field: FormField }[], schema: ParameterSchema): FormGroup[] {
  const declared = [...schema.groups].sort((a, b) => (a.priority ?? 0) - (b.priority ?? 0));
  const known = new Set(declared.map(({ name }) => name));
  const undeclared = [...new Set(fields.map(({ group }) => group))].filter((group) => !known.has(group));
  const groups = [
    ...declared.map(({ name, displayName, description }) => ({ name, label: displayName ?? name, description })),
    ...undeclared
      .sort((a, b) => Number(a === '') - Number(b === ''))
      .map((name) => ({ name, label: name || OTHER, description: undefined })),
  ];
  return groups
    .map(({ name, label, description }) => ({
      name,
      label,
      ...(description === undefined ? {} : { description }),
      fields: fields.filter(({ group }) => group === name).map(({ field }) => field),
    }))
    .filter((group) => group.fields.length > 0);
}

function byPlan(fields: readonly FormField[]): FormGroup[] {
  const plans = [...new Set(fields.map(({ plan }) => plan ?? ''))];
  return plans.map((plan) => ({
    name: plan,
    label: plan === '' ? OTHER : planTitle(plan),
    ...(plan === '' ? {} : { description: `A change runs plan “${plan}”.` }),
    fields: fields.filter((field) => (field.plan ?? '') === plan),
  }));
}

/** Plans that a button can start: backup and restore first, deploy, update and upgrade last. */
export function runnablePlans(operatorVersion: OperatorVersion | undefined): string[] {
  const plans = Object.keys(operatorVersion?.spec?.plans ?? {}).filter((plan) => plan !== 'cleanup');
  const rank = (plan: string): number => {
    const first = ['backup', 'restore'].indexOf(plan);
    const last = ['update', 'upgrade', 'deploy'].indexOf(plan);
    return first >= 0 ? first - 10 : last >= 0 ? last + 10 : 0;
  };
  return plans.filter((plan) => hasPlan(operatorVersion, plan)).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}
