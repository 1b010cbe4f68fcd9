import { arrayAt, type JsonObject, objectAt, stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { type CompiledExpression, compileExpression } from '@/lib/schema/cel/compile-expression';
import type { Selectors } from '../matching';
import { toRule, type WebhookRule } from '../webhook';

/** What expressions of a policy may name (Kubernetes apiserver admission/plugin/policy/validating). */
export const POLICY_NAMES = ['object', 'oldObject', 'request', 'params', 'namespaceObject', 'variables', 'authorizer'];

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

export interface NamedExpression extends CompiledExpression {
  readonly name: string;
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
  const { apiVersion, kind } = objectAt(spec, 'paramKind');
  const named = (field: string, wanted: 'bool' | 'any') =>
    arrayAt(spec, field).map((each) => ({
      name: stringAt(each, 'name') ?? '',
      ...compileExpression(stringAt(each, 'expression') ?? '', POLICY_NAMES, wanted),
    }));
  return {
    name: nameOf(object),
    match: matchResourcesOf(objectAt(spec, 'matchConstraints')),
    ignoresFailure: stringAt(spec, 'failurePolicy') === 'Ignore',
    paramKind: typeof apiVersion === 'string' && typeof kind === 'string' ? { apiVersion, kind } : undefined,
    conditions: named('matchConditions', 'bool'),
    variables: named('variables', 'any'),
    validations: arrayAt(spec, 'validations').map((each) => {
      const message = stringAt(each, 'messageExpression');
      return {
        expression: compileExpression(stringAt(each, 'expression') ?? '', POLICY_NAMES, 'bool'),
        message: stringAt(each, 'message') ?? '',
        messageExpression:
          message === undefined || message === '' ? undefined : compileExpression(message, POLICY_NAMES, 'string'),
        reason: stringAt(each, 'reason') ?? '',
      };
    }),
  };
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
