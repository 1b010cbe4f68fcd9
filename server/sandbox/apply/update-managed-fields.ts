import { formatTime } from '@/lib/clock/clock';
import { isJsonObject, type JsonObject, type JsonValue, jsonEqual, stringAt } from '@/lib/json/json';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { compareObjects } from './compare';
import { formatManagers, type ManagerEntry, type Managers, managerKey, parseManagers } from './managers';
import { ownable, type WriteScope, withoutManagers } from './ownership';
import { filtered, giveWay } from './server-side-apply';

/** The manager of what was there before the first apply. */
const FIRST = 'before-first-apply';

/** A create, PUT or patch that was done. */
export interface UpdateInput extends WriteScope {
  /** The object before, with its `managedFields`; for a create the kind's empty object (apply-schema). */
  readonly before: JsonObject;
  /** The object after, decoded and defaulted; `managedFields` as the client sent them. */
  readonly after: JsonObject;
  readonly manager: string;
  readonly apiVersion: string;
  readonly schema: JsonSchema;
  readonly nowMs: number;
}

/**
 * The new `metadata.managedFields` after an update: the manager owns what it added or changed, removed fields
 * have no owner (Kubernetes apiserver managedfields Update). Undefined when no field has an owner.
 */
export function updateManagedFields(input: UpdateInput): JsonObject[] | undefined {
  const managers = managersBefore(input);
  // An existing object without managers is not tracked until its first apply.
  if (managers.size === 0 && stringAt(input.before, 'metadata', 'uid') !== undefined && input.manager !== FIRST)
    return undefined;
  const before = withoutManagers(input.before);
  const after = withoutManagers(input.after);
  const comparison = filtered(compareObjects(before, after, input.schema), input);
  const taken = ownable(comparison.modified.union(comparison.added), input);
  const mine = { ...entryOf(input), set: taken };
  const key = managerKey(mine);
  giveWay(managers, key, comparison, true);
  const last = managers.get(key);
  // What the manager changed is its own before and after, so that a set which only changes values stays the very same.
  const kept = last?.set.difference(comparison.removed);
  if (!taken.isEmpty()) managers.set(key, { ...mine, set: kept?.union(taken) ?? taken });
  else if (last !== undefined && kept !== undefined) {
    if (kept.isEmpty()) managers.delete(key);
    else managers.set(key, { ...last, set: kept });
  }
  const entries = formatManagers(managers);
  return entries.length === 0 ? undefined : entries;
}

function entryOf({ manager, apiVersion, subresource, nowMs }: UpdateInput): Omit<ManagerEntry, 'set'> {
  return { manager, operation: 'Update', apiVersion, subresource, time: formatTime(nowMs) };
}

/** Managers that a client sends replace those of the object; an empty list or entry forgets them all. */
function managersBefore({ before, after, subresource }: UpdateInput): Managers {
  const kept = parseManagers(managedFieldsOf(before)) ?? new Map();
  const sent = managedFieldsOf(after);
  if (subresource !== '' || sent === undefined) return kept;
  if (isReset(sent)) return new Map();
  // Clients send back what they have read: no need to read it again.
  if (jsonEqual(sent, managedFieldsOf(before))) return kept;
  const parsed = parseManagers(sent);
  return parsed === undefined || parsed.size === 0 ? kept : parsed;
}

function managedFieldsOf(object: JsonObject): JsonValue | undefined {
  return isJsonObject(object.metadata) ? object.metadata.managedFields : undefined;
}

function isReset(sent: JsonValue): boolean {
  if (!Array.isArray(sent)) return false;
  const [only] = sent;
  return (
    sent.length === 0 || (sent.length === 1 && isJsonObject(only) && Object.values(only).every((each) => each === ''))
  );
}
