import { parseTime } from '@/lib/clock/clock';
import { isJsonObject, type JsonObject, stringAt } from '@/lib/json/json';
import { FieldSet } from './field-set';

export type ManagerOperation = 'Apply' | 'Update';

/** One entry of `metadata.managedFields`. */
export interface ManagerEntry {
  readonly manager: string;
  readonly operation: ManagerOperation;
  readonly apiVersion: string;
  readonly subresource: string;
  readonly time: string | undefined;
  readonly set: FieldSet;
}

/** The entries by identity: an applier is known by name, an updater also by the version it used. */
export type Managers = Map<string, ManagerEntry>;

export function managerKey(entry: Pick<ManagerEntry, 'manager' | 'operation' | 'apiVersion' | 'subresource'>): string {
  const version = entry.operation === 'Apply' ? '' : entry.apiVersion;
  return JSON.stringify([entry.manager, entry.operation, version, entry.subresource]);
}

/** Reads `metadata.managedFields`; undefined when an entry is none. */
export function parseManagers(managedFields: unknown): Managers | undefined {
  const managers: Managers = new Map();
  for (const each of Array.isArray(managedFields) ? managedFields : []) {
    const operation = stringAt(each, 'operation');
    const fieldsType = stringAt(each, 'fieldsType');
    if (!isJsonObject(each) || (operation !== 'Apply' && operation !== 'Update') || fieldsType !== 'FieldsV1')
      return undefined;
    const entry: ManagerEntry = {
      manager: stringAt(each, 'manager') ?? '',
      operation,
      apiVersion: stringAt(each, 'apiVersion') ?? '',
      subresource: stringAt(each, 'subresource') ?? '',
      time: stringAt(each, 'time'),
      set: FieldSet.fromJson(each.fieldsV1),
    };
    managers.set(managerKey(entry), entry);
  }
  return managers;
}

/** `metadata.managedFields`, in the order in which Kubernetes writes it: by operation, time, manager. */
export function formatManagers(managers: Managers): JsonObject[] {
  return [...managers.values()].sort(compareEntries).map((entry) => {
    const json: JsonObject = {
      manager: entry.manager,
      operation: entry.operation,
      apiVersion: entry.apiVersion,
      fieldsType: 'FieldsV1',
      fieldsV1: entry.set.toJson(),
    };
    if (entry.time !== undefined) json.time = entry.time;
    if (entry.subresource !== '') json.subresource = entry.subresource;
    return json;
  });
}

function compareEntries(a: ManagerEntry, b: ManagerEntry): number {
  return (
    compareTexts(a.operation, b.operation) ||
    seconds(a) - seconds(b) ||
    compareTexts(a.manager, b.manager) ||
    compareTexts(a.apiVersion, b.apiVersion) ||
    compareTexts(a.subresource, b.subresource)
  );
}

function seconds({ time }: ManagerEntry): number {
  return Math.floor((parseTime(time) ?? 0) / 1000);
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
