import { rfc3339 } from '@/lib/clock/rfc3339';
import { arrayAt, isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';

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
export function statusFor(crd: KubeObject, taken: TakenNames, nowMs: number): JsonObject {
  const status = objectAt(crd, 'status');
  const { accepted, condition } = acceptNames(crd, taken);
  const established = isTrueCondition(status, 'Established');
  const wanted: Condition[] = [condition];
  if (condition.status === 'True') {
    wanted.push({
      type: 'Established',
      status: 'True',
      reason: 'InitialNamesAccepted',
      message: 'the initial names have been accepted',
    });
  } else if (!established) {
    wanted.push({ type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' });
  }
  let conditions = [...arrayAt(status, 'conditions')];
  for (const each of wanted) conditions = withDefinitionCondition(conditions, each, nowMs);
  return { ...status, acceptedNames: accepted, conditions };
}

interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/** Sets one condition; its time changes only with its status. */
export function withDefinitionCondition(
  conditions: readonly JsonValue[],
  condition: Condition,
  nowMs: number,
): JsonValue[] {
  const at = conditions.findIndex((each) => stringAt(each, 'type') === condition.type);
  const before = conditions[at];
  const keepsTime = stringAt(before, 'status') === condition.status;
  const lastTransitionTime = keepsTime ? (stringAt(before, 'lastTransitionTime') ?? '') : rfc3339(nowMs);
  const next = {
    lastTransitionTime,
    message: condition.message,
    reason: condition.reason,
    status: condition.status,
    type: condition.type,
  };
  if (at < 0) return [...conditions, next];
  return conditions.map((each, index) => (index === at ? next : each));
}

export function isTrueCondition(status: unknown, type: string): boolean {
  return arrayAt(status, 'conditions').some(
    (each) => isJsonObject(each) && each.type === type && each.status === 'True',
  );
}

function acceptNames(crd: KubeObject, taken: TakenNames): { accepted: JsonObject; condition: Condition } {
  const wanted = objectAt(crd, 'spec', 'names');
  const before = objectAt(crd, 'status', 'acceptedNames');
  const accepted: JsonObject = { ...before, plural: before.plural ?? '', kind: before.kind ?? '' };
  let conflict: { reason: string; name: string } | undefined;
  const take = (field: string, reason: string, names: ReadonlySet<string>): void => {
    const name = wanted[field];
    if (typeof name !== 'string' || name === '') return;
    if (name !== before[field] && names.has(name)) conflict = { reason, name };
    else accepted[field] = name;
  };
  take('plural', 'PluralConflict', taken.resources);
  take('singular', 'SingularConflict', taken.resources);
  const shortNames = arrayAt(wanted, 'shortNames').filter((name) => typeof name === 'string');
  const clash = shortNames.find((name) => !arrayAt(before, 'shortNames').includes(name) && taken.resources.has(name));
  if (clash !== undefined) conflict = { reason: 'ShortNamesConflict', name: clash };
  else if (shortNames.length > 0) accepted.shortNames = shortNames;
  else delete accepted.shortNames;
  take('kind', 'KindConflict', taken.kinds);
  take('listKind', 'ListKindConflict', taken.kinds);
  const categories = arrayAt(wanted, 'categories');
  if (categories.length > 0) accepted.categories = [...categories];
  else delete accepted.categories;
  const condition: Condition =
    conflict === undefined
      ? { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' }
      : {
          type: 'NamesAccepted',
          status: 'False',
          reason: conflict.reason,
          message: `${JSON.stringify(conflict.name)} is already in use`,
        };
  return { accepted, condition };
}
