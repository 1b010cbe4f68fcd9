import { arrayAt, type JsonObject, type JsonValue, objectAt, stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import type { CompiledExpression } from '@/lib/schema/cel/compile-expression';
import { type NamedExpression, PolicyCompiler } from '@/lib/schema/cel/policy-compiler';
import type { Selectors } from '../matching';
import { toRule, type WebhookRule } from '../webhook';

/** Which requests a policy or binding is about (admissionregistration/v1 MatchResources). */
export interface MatchResources extends Selectors {
  readonly rules: readonly NamedRule[];
  readonly excluded: readonly NamedRule[];
  readonly isExact: boolean;
}

export interface NamedRule extends WebhookRule {
  /** Empty for every name. */
  readonly names: readonly string[];
}

export interface Validation {
  readonly expression: CompiledExpression;
  readonly message: string;
  readonly messageExpression: CompiledExpression | undefined;
  /** A reason of the API; empty for Invalid. */
  readonly reason: string;
}

/** A ValidatingAdmissionPolicy, with its expressions compiled. */
export interface Policy {
  readonly name: string;
  readonly match: MatchResources;
  readonly ignoresFailure: boolean;
  readonly paramKind: { readonly apiVersion: string; readonly kind: string } | undefined;
  readonly conditions: readonly NamedExpression[];
  readonly variables: readonly NamedExpression[];
  readonly validations: readonly Validation[];
}

/** Policies are read once: the store never changes an object, it puts another in its place. */
const known = new WeakMap<KubeObject, Policy>();

export function policyOf(object: KubeObject): Policy {
  const present = known.get(object);
  if (present !== undefined) return present;
  const made = read(object);
  known.set(object, made);
  return made;
}

function read(object: KubeObject): Policy {
  const spec = objectAt(object, 'spec');
  const compiler = new PolicyCompiler(paramKindOf(spec) !== undefined);
  const text = (each: JsonValue, field: string) => stringAt(each, field) ?? '';
  const variables = arrayAt(spec, 'variables').map((each) =>
    compiler.variable(text(each, 'name'), text(each, 'expression')),
  );
  return {
    name: nameOf(object),
    match: matchResourcesOf(objectAt(spec, 'matchConstraints')),
    ignoresFailure: stringAt(spec, 'failurePolicy') === 'Ignore',
    paramKind: paramKindOf(spec),
    conditions: arrayAt(spec, 'matchConditions').map((each) => ({
      name: text(each, 'name'),
      ...compiler.condition(text(each, 'expression')),
    })),
    variables,
    validations: arrayAt(spec, 'validations').map((each) => {
      const message = stringAt(each, 'messageExpression');
      return {
        expression: compiler.compile(text(each, 'expression'), 'bool'),
        message: stringAt(each, 'message') ?? '',
        messageExpression: message === undefined || message === '' ? undefined : compiler.message(message),
        reason: stringAt(each, 'reason') ?? '',
      };
    }),
  };
}

function paramKindOf(spec: JsonObject): Policy['paramKind'] {
  const { apiVersion, kind } = objectAt(spec, 'paramKind');
  return typeof apiVersion === 'string' && typeof kind === 'string' ? { apiVersion, kind } : undefined;
}

export function matchResourcesOf(match: JsonObject): MatchResources {
  const rules = (field: string): NamedRule[] =>
    arrayAt(match, field).map((rule) => ({ ...toRule(rule), names: arrayAt(rule, 'resourceNames').map(String) }));
  return {
    rules: rules('resourceRules'),
    excluded: rules('excludeResourceRules'),
    isExact: stringAt(match, 'matchPolicy') === 'Exact',
    namespaceSelector: objectAt(match, 'namespaceSelector'),
    objectSelector: objectAt(match, 'objectSelector'),
  };
}
