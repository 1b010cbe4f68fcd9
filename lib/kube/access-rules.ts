import { arrayAt, isJsonObject, objectAt } from '@/lib/json/json';

/** One rule of a person in a namespace, as a SelfSubjectRulesReview lists it. `*` matches everything. */
export interface AccessRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  /** Empty: objects of every name. */
  readonly resourceNames: readonly string[];
}

/** The rules of a person in one namespace. `incomplete`: there may be more, of authorizers that cannot list theirs. */
export interface AccessRules {
  readonly rules: readonly AccessRule[];
  readonly incomplete: boolean;
}

/** What is looked for in rules. Without a name only rules count that name no objects. */
export interface WantedAccess {
  /** One of them is enough. */
  readonly verbs: readonly string[];
  readonly group: string;
  readonly resource: string;
  readonly name?: string | undefined;
}

/** Reads the status of a SelfSubjectRulesReview (Kubernetes authorization/v1). What is no rule is left out. */
export function readAccessRules(review: unknown): AccessRules {
  const status = objectAt(isJsonObject(review) ? review : {}, 'status');
  const texts = (rule: unknown, key: string) => (isJsonObject(rule) ? arrayAt(rule, key).map(String) : []);
  const rules = arrayAt(status, 'resourceRules').map((rule) => ({
    verbs: texts(rule, 'verbs'),
    apiGroups: texts(rule, 'apiGroups'),
    resources: texts(rule, 'resources'),
    resourceNames: texts(rule, 'resourceNames'),
  }));
  return { rules, incomplete: status.incomplete === true };
}

/** True when a rule allows it (Kubernetes rbac/v1 evaluation helpers: `VerbMatches`, `ResourceMatches`, …). */
export function isAllowedByRules(rules: readonly AccessRule[], wanted: WantedAccess): boolean {
  return rules.some(
    (rule) =>
      wanted.verbs.some((verb) => matches(rule.verbs, verb)) &&
      matches(rule.apiGroups, wanted.group) &&
      matches(rule.resources, wanted.resource) &&
      (rule.resourceNames.length === 0 || (wanted.name !== undefined && rule.resourceNames.includes(wanted.name))),
  );
}

function matches(allowed: readonly string[], wanted: string): boolean {
  return allowed.includes('*') || allowed.includes(wanted);
}
