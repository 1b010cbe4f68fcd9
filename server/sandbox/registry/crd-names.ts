import { rfc3339 } from '@/lib/clock/rfc3339';
import { arrayAt, cloneJson, type JsonObject, type JsonValue, objectAt, stringAt } from '@/lib/json/json';
import { hasCondition } from '@/lib/kube/conditions';
import type { KubeObject } from '@/lib/kube/object';

export const CRD_STORAGE = 'customresourcedefinitions.apiextensions.k8s.io';
export const CRD_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';

/**
 * The conditions of a CustomResourceDefinition:
 *
 *   (created) → NamesAccepted False (another definition of the group has the name) ⇄ True
 *   NamesAccepted True → Established True (stays) ; deleted → Terminating True
 *
 * (apiextensions-apiserver pkg/controller/status and establish.)
 */

/** The names that other definitions of the same group hold. */
export interface TakenNames {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

/** What all accepted definitions of a group but one hold. */
export function takenNames(crds: readonly KubeObject[], except: KubeObject): TakenNames {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  const group = stringAt(except, 'spec', 'group');
  for (const crd of crds) {
    if (crd.metadata.uid === except.metadata.uid || stringAt(crd, 'spec', 'group') !== group) continue;
    const names = objectAt(crd, 'status', 'acceptedNames');
    for (const name of [names.plural, names.singular, ...arrayAt(names, 'shortNames')]) {
      if (typeof name === 'string' && name !== '') resources.add(name);
    }
    for (const kind of [names.kind, names.listKind]) if (typeof kind === 'string' && kind !== '') kinds.add(kind);
  }
  return { resources, kinds };
}

/** The status that a definition should have now; the very same object when nothing changes. */
export function statusForCrd(crd: KubeObject, taken: TakenNames, nowMs: number): JsonObject {
  const status = objectAt(crd, 'status');
  const { accepted, conflict } = acceptNames(crd, taken);
  let conditions = setCondition(arrayAt(status, 'conditions'), namesAccepted(conflict), nowMs);
  if (conflict === undefined) conditions = setCondition(conditions, ESTABLISHED, nowMs);
  else if (!hasCondition(crd, 'Established')) conditions = setCondition(conditions, NOT_ACCEPTED, nowMs);
  return { ...status, acceptedNames: accepted, conditions };
}

interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/** Sets one condition in its place; its time changes only with its status. */
function setCondition(conditions: readonly JsonValue[], condition: Condition, nowMs: number): JsonValue[] {
  const at = conditions.findIndex((each) => stringAt(each, 'type') === condition.type);
  const keepsTime = stringAt(conditions[at], 'status') === condition.status;
  const lastTransitionTime = (keepsTime ? stringAt(conditions[at], 'lastTransitionTime') : undefined) ?? rfc3339(nowMs);
  const next = { ...condition, lastTransitionTime };
  return at < 0 ? [...conditions, next] : conditions.map((each, index) => (index === at ? next : each));
}

const ESTABLISHED: Condition = {
  type: 'Established',
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
};
const NOT_ACCEPTED: Condition = {
  type: 'Established',
  status: 'False',
  reason: 'NotAccepted',
  message: 'not all names are accepted',
};
const TERMINATING: Condition = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionPending',
  message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
};

/** A name that another definition has, and the field that asks for it. */
interface NameConflict {
  readonly reason: string;
  readonly name: string;
}

function namesAccepted(conflict: NameConflict | undefined): Condition {
  if (conflict === undefined)
    return { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' };
  const message = `${JSON.stringify(conflict.name)} is already in use`;
  return { type: 'NamesAccepted', status: 'False', reason: conflict.reason, message };
}

function acceptNames(crd: KubeObject, taken: TakenNames): { accepted: JsonObject; conflict?: NameConflict } {
  const wanted = objectAt(crd, 'spec', 'names');
  const before = objectAt(crd, 'status', 'acceptedNames');
  const accepted: JsonObject = { ...before, plural: before.plural ?? '', kind: before.kind ?? '' };
  const conflicts: NameConflict[] = [];
  for (const field of ['plural', 'singular', 'shortNames', 'kind', 'listKind', 'categories']) {
    const given = wanted[field];
    const names = [given ?? []].flat().filter((name) => typeof name === 'string' && name !== '');
    const others = field === 'kind' || field === 'listKind' ? taken.kinds : taken.resources;
    const own = [before[field] ?? []].flat();
    const clash = names.find((name) => field !== 'categories' && !own.includes(name) && others.has(String(name)));
    if (clash !== undefined) {
      const reason = `${field.charAt(0).toUpperCase()}${field.slice(1)}Conflict`;
      conflicts.push({ reason, name: String(clash) });
    } else if (given !== undefined && names.length > 0) accepted[field] = given;
    else if (Array.isArray(before[field])) delete accepted[field];
  }
  const conflict = conflicts.at(-1);
  return conflict === undefined ? { accepted } : { accepted, conflict };
}

/** A definition as its first DELETE leaves it: marked, and kept until its objects are deleted. */
export function terminated(crd: KubeObject, nowMs: number): KubeObject {
  const copy = cloneJson(crd);
  const { metadata } = copy;
  metadata.deletionTimestamp ??= rfc3339(nowMs);
  metadata.finalizers = [...new Set([...(metadata.finalizers ?? []), CRD_FINALIZER])];
  const conditions = setCondition(arrayAt(copy, 'status', 'conditions'), TERMINATING, nowMs);
  copy.status = { ...objectAt(copy, 'status'), conditions };
  return copy;
}
