import { formatTime } from '@/lib/clock/clock';
import { isJsonObject, type JsonObject, type JsonValue, jsonEqual, parseJsonObject, stringAt } from '@/lib/json/json';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { typedFaults } from './check-typed';
import { type Comparison, compareObjects } from './compare';
import { FieldSet } from './field-set';
import { formatManagers, type ManagerEntry, type Managers, managerKey, parseManagers } from './managers';
import { mergeObjects } from './merge-objects';
import { printPath } from './node-type';
import { removeItems, toFieldSet, withNamedFields } from './object-fields';
import { ownable, type WriteScope, withoutManagers } from './ownership';

/** One field that an apply would take from another manager. */
interface ApplyConflict {
  /** `.spec.replicas` */
  readonly field: string;
  /** `conflict with "kubectl"` */
  readonly message: string;
}

/** A server-side apply. */
export interface ApplyInput extends WriteScope {
  /** The object as it is, with its `managedFields`; for a new one the kind's empty object (apply-schema). */
  readonly live: JsonObject;
  readonly applied: JsonObject;
  readonly manager: string;
  /** Takes fields from other managers. */
  readonly force: boolean;
  /** Of the whole object: `builtinSchema`, or `customApplySchema` of a definition. */
  readonly schema: JsonSchema;
  readonly nowMs: number;
}

/** The merged object with its new `managedFields`, or why not. */
export type ApplyOutcome =
  | { readonly object: JsonObject; readonly changed: boolean }
  | { readonly conflicts: readonly ApplyConflict[]; readonly message: string }
  | { readonly fault: string };

/** Where kubectl's client-side apply keeps what it applied. */
export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
/** The manager that kubectl's server-side apply names itself. */
const KUBECTL = 'kubectl';

/**
 * As `serverSideApply`; kubectl's own manager also takes, without force, what its client-side apply set and nobody
 * changed since.
 */
export function applyForManager(input: ApplyInput): ApplyOutcome {
  const outcome = serverSideApply(input);
  if (input.manager !== KUBECTL || !('conflicts' in outcome)) return outcome;
  const taken = fieldsOfLastApplied(input.live, stringAt(input.applied, 'apiVersion') ?? '', input.schema);
  if (taken === undefined) return outcome;
  const fields = new Set([...taken.paths()].map(printPath));
  const conflicts = outcome.conflicts.filter(({ field }) => !fields.has(field));
  if (conflicts.length > 0) return refused(conflicts);
  return serverSideApply({ ...input, force: true });
}

/**
 * The fields that kubectl's client-side apply set and that are still as it set them: its server-side apply may take
 * these without force (Kubernetes managedfields lastAppliedManager). Undefined when the annotation is absent or describes
 * nothing of an object of this version and kind.
 */
function fieldsOfLastApplied(live: JsonObject, apiVersion: string, schema: JsonSchema): FieldSet | undefined {
  const last = parseJsonObject(stringAt(live, 'metadata', 'annotations', LAST_APPLIED) ?? '');
  if (last === undefined || last.apiVersion !== apiVersion || typedFaults(last, schema).length > 0) return undefined;
  const { added, modified, removed } = compareObjects(last, live, schema);
  return toFieldSet(last, schema).difference(modified).difference(added).difference(removed);
}

/**
 * Applies a configuration (Kubernetes apiserver managedfields, structured-merge-diff Updater.Apply): its fields are
 * merged into the object and owned by the manager; fields that the manager owned and no longer sets go, unless others
 * own them. Neither object is changed. The result is not yet decoded, defaulted or validated.
 */
export function serverSideApply(input: ApplyInput): ApplyOutcome {
  const { applied, schema, nowMs } = input;
  const faults = typedFaults(applied, schema);
  if (faults.length > 0) return { fault: typedMessage(applied, faults) };
  const live = withoutManagers(input.live);
  const managers: Managers =
    parseManagers(isJsonObject(input.live.metadata) ? input.live.metadata.managedFields : []) ?? new Map();
  const mine = entryOf(input);
  const key = managerKey(mine);
  const last = managers.get(key);
  // Fields without an owner still count while pruning: a name that is set keeps its metadata.
  const configured = toFieldSet(applied, schema);
  const set = ownable(configured, input);
  const merged = mergeObjects(live, applied, schema);
  managers.set(key, { ...mine, time: last?.time, set: configured });
  const pruned = last === undefined ? merged : prune(merged, managers, last.set, schema);
  const conflicts = giveWay(managers, key, filtered(compareObjects(live, pruned, schema), input), input.force);
  if (conflicts.length > 0) return refused(conflicts);
  const changed = !jsonEqual(live, pruned);
  managers.set(key, { ...mine, time: changed ? formatTime(nowMs) : last?.time, set });
  if (set.isEmpty()) managers.delete(key);
  const object: JsonObject = isJsonObject(pruned) ? { ...pruned } : {};
  const metadata: JsonObject = { ...(isJsonObject(object.metadata) ? object.metadata : {}) };
  metadata.managedFields = formatManagers(managers);
  object.metadata = metadata;
  return { object, changed };
}

function entryOf({ manager, applied, subresource }: ApplyInput): ManagerEntry {
  const apiVersion = stringAt(applied, 'apiVersion') ?? '';
  return { manager, operation: 'Apply', apiVersion, subresource, time: undefined, set: new FieldSet() };
}

function typedMessage(applied: JsonObject, faults: readonly string[]): string {
  const apiVersion = stringAt(applied, 'apiVersion') ?? '';
  const gvk = `${apiVersion.includes('/') ? '' : '/'}${apiVersion}, Kind=${stringAt(applied, 'kind') ?? ''}`;
  const name = `${stringAt(applied, 'metadata', 'namespace') ?? ''}/${stringAt(applied, 'metadata', 'name') ?? ''}`;
  const text = faults.length === 1 ? faults[0] : `errors:\n${faults.map((fault) => `  ${fault}`).join('\n')}`;
  return `failed to create typed patch object (${name}; ${gvk}): ${text}`;
}

/** Only what a request of this scope may change counts. */
export function filtered(comparison: Comparison, scope: WriteScope): Comparison {
  return {
    added: ownable(comparison.added, scope),
    modified: ownable(comparison.modified, scope),
    removed: ownable(comparison.removed, scope),
  };
}

/**
 * Takes the changed and removed fields from all managers but one. Without force, fields that others own and that
 * change are conflicts, and nothing is taken.
 */
export function giveWay(managers: Managers, mine: string, comparison: Comparison, force: boolean): ApplyConflict[] {
  const changed = comparison.modified.union(comparison.added);
  const others = [...managers].filter(([key]) => key !== mine);
  if (!force) {
    const conflicts = others.flatMap(([, entry]) => conflictsWith(entry, entry.set.intersection(changed)));
    if (conflicts.length > 0) return conflicts;
  }
  for (const [key, entry] of others) {
    const set = entry.set.difference(changed).difference(comparison.removed);
    if (set.isEmpty()) managers.delete(key);
    else managers.set(key, { ...entry, set });
  }
  return [];
}

/** Takes out what the manager set last time and sets no more, but keeps what others own. */
function prune(merged: JsonValue, managers: Managers, last: FieldSet, schema: JsonSchema): JsonValue {
  if (last.isEmpty()) return merged;
  const whole = withNamedFields(toFieldSet(merged, schema), schema);
  const lastNamed = withNamedFields(last, schema);
  const cut = removeItems(merged, lastNamed, schema);
  let managed = new FieldSet();
  for (const entry of managers.values()) managed = managed.union(entry.set);
  const kept = withNamedFields(toFieldSet(cut, schema), schema).union(withNamedFields(managed, schema));
  const restored = removeItems(merged, whole.difference(kept), schema);
  const restoredSet = withNamedFields(toFieldSet(restored, schema), schema);
  return removeItems(merged, whole.difference(restoredSet).intersection(lastNamed), schema);
}

/** The conflicts of one manager, by its fields in order (apiserver managedfields printManager). */
function conflictsWith({ manager, subresource, operation, apiVersion }: ManagerEntry, set: FieldSet): ApplyConflict[] {
  const name = JSON.stringify(manager) + (subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`);
  const message = `conflict with ${name}${operation === 'Update' ? ` using ${apiVersion}` : ''}`;
  return [...set.paths()].map((path) => ({ field: printPath(path), message }));
}

/** The conflicts that answer an apply, and the message of their 409. */
function refused(conflicts: readonly ApplyConflict[]): ApplyOutcome {
  const [first] = conflicts;
  if (conflicts.length === 1 && first !== undefined) {
    return { conflicts, message: `Apply failed with 1 conflict: ${first.message}: ${first.field}` };
  }
  const lines = [...new Set(conflicts.map(({ message }) => message))]
    .sort()
    .flatMap((message) => [
      `${message.replace('conflict', 'conflicts')}:`,
      ...conflicts.filter((conflict) => conflict.message === message).map(({ field }) => `- ${field}`),
    ]);
  return { conflicts, message: `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}` };
}
