import {
  draftChanges,
  draftedValues,
  draftProblems,
  type ParameterDraft,
} from '@/components/parameters/parameter-draft';
import { type AccessQuestion, accessTo } from '@/lib/kube/access';
import { MAX_INSTANCE_NAME } from '@/lib/kudo/names';
import type { FormGroup } from '@/lib/kudo/view/form-model';
import { topics } from '@/lib/live/topic';

/** What a person has chosen so far. */
export interface InstallDraft {
  readonly namespace: string;
  readonly instance: string;
  readonly parameters: ParameterDraft;
}

/** What the install needs to know of the cluster. */
export interface NamesInUse {
  /** Undefined for a person who may not list them. */
  readonly namespaces: ReadonlySet<string> | undefined;
  /** `namespace/name` of every Instance. */
  readonly instances: ReadonlySet<string>;
}

const NAME = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
const NAME_HINT = 'Use lower-case letters, digits and dashes. Begin and end with a letter or a digit.';
const MAX_NAMESPACE = 63;

/** What is wrong with the place, field by field. */
export function placeProblems(draft: InstallDraft, taken: NamesInUse): { namespace?: string; instance?: string } {
  const namespace = nameProblem(draft.namespace, MAX_NAMESPACE);
  const instance = nameProblem(draft.instance, MAX_INSTANCE_NAME) ?? takenProblem(draft, taken);
  return { ...(namespace === undefined ? {} : { namespace }), ...(instance === undefined ? {} : { instance }) };
}

/** True for a namespace that an install makes; one that cannot be looked up counts as existing. */
export function isNewNamespace(namespace: string, { namespaces }: NamesInUse): boolean {
  return namespaces !== undefined && !namespaces.has(namespace);
}

/**
 * Whether an object that an install needs exists: `missing` is created, `unknown` is looked up first (the person may not list them,
 * or the list is of another namespace).
 */
export type Existence = 'exists' | 'missing' | 'unknown';

/** The rights that an install takes: to create the Instance, and what else it writes or reads for certain. */
export function rightsToInstall(
  namespace: string,
  needs: { readonly namespace: Existence; readonly operator: Existence; readonly operatorVersion: Existence },
): readonly AccessQuestion[] {
  const verbs = { exists: undefined, missing: 'create', unknown: 'get' } as const;
  const rightFor = (existence: Existence, resource: { group: string; resource: string }) => {
    const verb = verbs[existence];
    return verb === undefined ? [] : [accessTo(verb, resource, namespace)];
  };
  return [
    // A namespace that may not be looked up is taken for one that exists.
    ...(needs.namespace === 'missing' ? [accessTo('create', topics.namespaces)] : []),
    ...rightFor(needs.operator, topics.operators),
    ...rightFor(needs.operatorVersion, topics.operatorVersions),
    accessTo('create', topics.instances, namespace),
  ];
}

/** The first free name for an instance of an operator in a namespace: `etcd`, `etcd-2` … */
export function freeInstanceName(operator: string, namespace: string, taken: NamesInUse): string {
  const isFree = (name: string) => !taken.instances.has(`${namespace}/${name}`);
  if (isFree(operator)) return operator;
  for (let number = 2; ; number++) {
    const name = `${operator}-${number}`;
    if (isFree(name)) return name;
  }
}

/** The values that the Instance would store: only what differs from the defaults. */
export function installValues(groups: readonly FormGroup[], draft: ParameterDraft): { [name: string]: string } {
  return draftedValues(undefined, draftChanges(groups, draft));
}

/** The labels of the fields that must be fixed before the install, in the order of the form. */
export function fieldsToFix(groups: readonly FormGroup[], draft: InstallDraft, taken: NamesInUse): readonly string[] {
  const place = placeProblems(draft, taken);
  const fields = [...draftProblems(groups, draft.parameters).keys()];
  const labels = new Map(groups.flatMap((group) => group.fields).map(({ name, label }) => [name, label]));
  return [
    ...(place.namespace === undefined ? [] : ['Namespace']),
    ...(place.instance === undefined ? [] : ['Instance name']),
    ...fields.map((name) => labels.get(name) ?? name),
  ];
}

function nameProblem(name: string, maxLength: number): string | undefined {
  if (name === '') return 'Required.';
  if (name.length > maxLength) return `At most ${maxLength} characters.`;
  return NAME.test(name) ? undefined : NAME_HINT;
}

function takenProblem({ namespace, instance }: InstallDraft, taken: NamesInUse): string | undefined {
  return taken.instances.has(`${namespace}/${instance}`)
    ? `Instance ${instance} already exists in namespace ${namespace}. Choose another name.`
    : undefined;
}
