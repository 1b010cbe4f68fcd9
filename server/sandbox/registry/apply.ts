import { cloneJson, isJsonObject, type JsonObject, stringAt } from '@/lib/json/json';
import { formatApiVersion, type KubeObject } from '@/lib/kube/object';
import { readYaml } from '@/lib/yaml/yaml';
import { type ApplyOutcome, applyForManager, LAST_APPLIED } from '../apply/server-side-apply';
import { updateManagedFields } from '../apply/update-managed-fields';
import { badRequest, conflict, failure, notFound } from '../errors/status';
import type { StoredObject } from '../store/collection';
import type { WriteContext } from './context';
import { inVersion } from './convert';
import { createObject, settleNamespace } from './create';
import { decodeObject, expectedKind } from './decode-object';
import { applySchemaOf, emptyOf, scopeOf } from './managed-fields';
import { checkVersion, findStored, type ObjectPlace, type Registry, refuseOtherName } from './registry';
import type { ResourceInfo } from './resource-info';
import { sortKeys } from './sort-keys';
import { type WriteResult, writeUpdate } from './update';

/** What a server-side apply asks. */
export interface ApplyRequest {
  /** YAML or JSON. */
  readonly text: string;
  readonly force: boolean;
  readonly manager: string;
}

/** Server-side apply: creates the object when it does not exist. 409 for fields that others own, unless forced. */
export function applyObject(
  registry: Registry,
  place: ObjectPlace,
  request: ApplyRequest,
  context: WriteContext,
): WriteResult {
  const { info } = place;
  const applied = readConfiguration(place, request.text);
  const current = findStored(registry, place);
  if (current === undefined && context.subresource !== undefined) throw notFound(info, place.name);
  const uid = stringAt(applied, 'metadata', 'uid') ?? '';
  if (current === undefined && uid !== '') {
    const text = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw conflict(info, place.name, text);
  }
  if (current !== undefined) checkVersion(place, stringAt(applied, 'metadata', 'resourceVersion'), current.object);
  const outcome = applyForManager({
    live: current === undefined ? newObject(info) : withFirstManager(registry, info, current, context),
    applied,
    manager: request.manager,
    force: request.force,
    schema: applySchemaOf(info),
    nowMs: registry.clock.now(),
    ...scopeOf(info, context),
  });
  const merged = mergedOf(outcome);
  if (request.manager === 'kubectl') followLastApplied(merged, applied);
  const managedFields = (merged.metadata as JsonObject).managedFields as JsonObject[];
  const object = decodeObject(info, merged as unknown as KubeObject, context);
  const applyContext: WriteContext = { ...context, managedFields };
  if (current !== undefined) {
    return { stored: writeUpdate(registry, place, { current, object }, applyContext), created: false };
  }
  object.metadata.name = place.name;
  delete object.metadata.resourceVersion;
  return { stored: createObject(registry, place, object, applyContext), created: true };
}

/** kubectl's server-side apply keeps the annotation of its client-side apply in step (fieldmanager lastAppliedUpdater). */
function followLastApplied(merged: JsonObject, applied: JsonObject): void {
  const annotations = isJsonObject(merged.metadata) ? merged.metadata.annotations : undefined;
  if (!isJsonObject(annotations) || annotations[LAST_APPLIED] === undefined) return;
  const copy = cloneJson(applied);
  const given = isJsonObject(copy.metadata) ? copy.metadata.annotations : undefined;
  if (isJsonObject(given)) delete given[LAST_APPLIED];
  annotations[LAST_APPLIED] = `${JSON.stringify(sortKeys(copy))}\n`;
}

function newObject(info: ResourceInfo): JsonObject {
  return { ...cloneJson(emptyOf(info)), ...expectedKind(info) };
}

/** The fields of an object without managers belong, before its first apply, to a manager of that name. */
function withFirstManager(
  registry: Registry,
  info: ResourceInfo,
  stored: StoredObject,
  context: WriteContext,
): JsonObject {
  const live = inVersion(info, stored).object as unknown as JsonObject;
  const metadata = isJsonObject(live.metadata) ? live.metadata : {};
  if (Array.isArray(metadata.managedFields) && metadata.managedFields.length > 0) return live;
  const managedFields = updateManagedFields({
    before: newObject(info),
    after: live,
    manager: 'before-first-apply',
    apiVersion: formatApiVersion(info.group, info.version),
    schema: applySchemaOf(info),
    nowMs: registry.clock.now(),
    ...scopeOf(info, context),
  });
  return { ...live, metadata: { ...metadata, managedFields: managedFields ?? [] } };
}

/** Reads and checks the body: its kind, name and namespace must be those of the path. */
function readConfiguration(place: ObjectPlace, text: string): JsonObject {
  const yaml = readYaml(text);
  if (!yaml.ok) throw badRequest(`error decoding YAML: ${yaml.problems[0]?.message ?? 'invalid'}`);
  const applied = yaml.value;
  if (!isJsonObject(applied)) {
    throw badRequest(
      'error decoding YAML: json: cannot unmarshal string into Go value of type map[string]interface {}',
    );
  }
  const expected = expectedKind(place.info);
  const apiVersion = stringAt(applied, 'apiVersion') ?? '';
  const kind = stringAt(applied, 'kind') ?? '';
  if (apiVersion !== expected.apiVersion || kind !== expected.kind) {
    const version = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
    throw badRequest(`invalid object type: ${version}, Kind=${kind}`);
  }
  const metadata = isJsonObject(applied.metadata) ? applied.metadata : {};
  const missing = `the name of the object (${place.name} based on URL) was undeterminable: name must be provided`;
  refuseOtherName(place, stringAt(metadata, 'name'), missing);
  if (metadata.managedFields !== undefined && metadata.managedFields !== null) {
    throw badRequest('metadata.managedFields must be nil');
  }
  settleNamespace(place.info, place.namespace, { ...expected, metadata: { ...metadata } } as KubeObject);
  return applied;
}

function mergedOf(outcome: ApplyOutcome): JsonObject {
  if ('fault' in outcome) throw failure(500, '', outcome.fault);
  if ('object' in outcome) return outcome.object;
  throw failure(409, 'Conflict', outcome.message, {
    causes: outcome.conflicts.map(({ field, message }) => ({ reason: 'FieldManagerConflict', message, field })),
  });
}
