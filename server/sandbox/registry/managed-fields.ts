import { type JsonObject, type JsonValue, jsonEqual } from '@/lib/json/json';
import { builtinSchema } from '@/lib/kube/builtin/builtin';
import { formatApiVersion, type KubeObject } from '@/lib/kube/object';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { customApplySchema, emptyCustomObject, emptyObject } from '../apply/apply-schema';
import type { WriteScope } from '../apply/ownership';
import { updateManagedFields } from '../apply/update-managed-fields';
import type { WriteContext } from './context';
import type { Registry, WrittenObject } from './registry';
import type { ResourceInfo } from './resource-info';

/** Notes who set what in a new object; called before the kind prepares it, so that fields that the server adds have no owner. */
export function trackCreate(registry: Registry, info: ResourceInfo, object: KubeObject, context: WriteContext): void {
  const managedFields =
    context.managedFields ?? managersAfter(registry, info, { before: emptyOf(info), after: asJson(object) }, context);
  setManagers(object, managedFields);
}

/** Notes who changed what. Times alone are no change. */
export function trackUpdate(
  registry: Registry,
  info: ResourceInfo,
  { object, old }: Required<WrittenObject>,
  context: WriteContext,
): void {
  const change = { before: asJson(old), after: asJson(object) };
  const tracked = context.managedFields ?? managersAfter(registry, info, change, context);
  const managedFields = tracked === undefined ? undefined : withoutScaleTimes(tracked);
  setManagers(object, managedFields);
  if (!jsonEqual(withoutTimes(object.metadata.managedFields), withoutTimes(old.metadata.managedFields))) return;
  if (Object.keys(object).some((key) => key !== 'metadata' && !jsonEqual(object[key], old[key]))) return;
  const { managedFields: _new, resourceVersion: _version, ...metadata } = object.metadata;
  const { managedFields: before, resourceVersion: _old, ...oldMetadata } = old.metadata;
  if (jsonEqual({ ...object, metadata }, { ...old, metadata: oldMetadata })) setManagers(object, before);
}

function managersAfter(
  registry: Registry,
  info: ResourceInfo,
  change: { readonly before: JsonObject; readonly after: JsonObject },
  context: WriteContext,
): JsonObject[] | undefined {
  return updateManagedFields({
    ...change,
    manager: context.fieldManager,
    apiVersion: formatApiVersion(info.group, info.version),
    schema: applySchemaOf(info),
    nowMs: registry.clock.now(),
    ...scopeOf(info, context),
  });
}

/** Which part of the object a write may own. */
export function scopeOf(info: ResourceInfo, { subresource, managerSubresource }: WriteContext): WriteScope {
  return {
    subresource: managerSubresource ?? subresource ?? '',
    hasStatus: info.subresources.some(({ name }) => name === 'status'),
  };
}

/** The schema by which fields of a resource are merged. */
export function applySchemaOf(info: ResourceInfo): JsonSchema {
  if (info.custom === undefined) return builtinSchema(info) ?? {};
  return customApplySchema((info.custom.schema ?? {}) as JsonSchema);
}

const empties = new WeakMap<ResourceInfo, JsonObject>();

/** An object of the resource before anybody set anything; always the same one, not to be changed. */
export function emptyOf(info: ResourceInfo): JsonObject {
  let empty = empties.get(info);
  if (empty === undefined) {
    empty = info.custom === undefined ? emptyObject(applySchemaOf(info)) : emptyCustomObject();
    empties.set(info, empty);
  }
  return empty;
}

/** The API server notes no time for writes through `/scale`; what has none comes first. */
function withoutScaleTimes(managers: readonly JsonObject[]): JsonObject[] {
  if (!managers.some((entry) => entry.subresource === 'scale')) return [...managers];
  const entries = managers.map((entry) => {
    const { time, ...rest } = entry;
    return entry.subresource === 'scale' || time === undefined ? rest : entry;
  });
  const key = (entry: JsonObject): string => `${String(entry.operation)} ${String(entry.time ?? '')}`;
  return entries.sort((x, y) => (key(x) < key(y) ? -1 : key(x) > key(y) ? 1 : 0));
}

/** The entries are shared with the object before and are never changed. */
function setManagers(object: KubeObject, managedFields: readonly JsonValue[] | undefined): void {
  if (managedFields === undefined || managedFields.length === 0) delete object.metadata.managedFields;
  else object.metadata.managedFields = [...managedFields];
}

function withoutTimes(managedFields: readonly JsonValue[] | undefined): unknown {
  return (managedFields ?? []).map((entry) => ({ ...(entry as JsonObject), time: null }));
}

function asJson(object: KubeObject): JsonObject {
  return object as unknown as JsonObject;
}
