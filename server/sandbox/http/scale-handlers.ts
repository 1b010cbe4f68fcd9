import {
  cloneJson,
  getAt,
  isJsonObject,
  type JsonObject,
  jsonEqual,
  objectAt,
  setOwn,
  stringAt,
} from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { invalid } from '@/lib/schema/field-error';
import { readYaml } from '@/lib/yaml/yaml';
import { badRequest, failure, internalError, invalidStatus } from '../errors/status';
import { readBody } from '../exchange/body';
import type { SandboxCore } from '../exchange/core';
import { type Exchange, sendJson } from '../exchange/exchange';
import { negotiate, objectConversions } from '../exchange/negotiation';
import { readJsonObject } from '../exchange/parse-object';
import { writeContext } from '../exchange/write-options';
import { isTrue } from '../rbac/request-info';
import { applyObject } from '../registry/apply';
import type { WriteContext } from '../registry/context';
import { inVersion } from '../registry/convert';
import { expectedKind } from '../registry/decode-object';
import { applyPatch, type PatchKind } from '../registry/patch';
import { checkVersion, getStored, type ObjectPlace, refuseOtherName } from '../registry/registry';
import type { ScalePaths } from '../registry/resource-info';
import { writeUpdate } from '../registry/update';
import { formatLabelSelector } from '../selectors/selector';
import type { StoredObject } from '../store/collection';
import { objectTable } from '../tables/table';
import { parsePatch, patchKind } from './patch-handler';

const BUILTIN_PATHS: ScalePaths = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };

/** GET, PUT and PATCH of `/scale` (autoscaling/v1 Scale) of built-in and of custom resources. */
export async function serveScale(core: SandboxCore, exchange: Exchange, place: ObjectPlace): Promise<void> {
  const { verb } = exchange.info;
  if (verb === 'get') {
    const stored = getStored(core.registry, place);
    await core.registry.store.committed();
    sendScale(core, exchange, place, scaleOf(place, inVersion(place.info, stored).object, 'strict'));
    return;
  }
  const context = {
    ...writeContext(exchange, verb === 'patch' ? 'PatchOptions' : 'UpdateOptions', 'scale'),
    // What the strategy sees is an ordinary update: replicas are part of spec.
    subresource: undefined,
    managerSubresource: 'scale',
  };
  const kind = verb === 'patch' ? patchKind(exchange, place) : 'update';
  const written =
    kind === 'apply'
      ? await applyScale(core, exchange, place, context)
      : await writeScale(core, exchange, place, { kind, context });
  await core.registry.store.committed();
  sendScale(core, exchange, place, scaleOf(place, written.object, 'lenient'));
}

function sendScale(core: SandboxCore, exchange: Exchange, { info }: ObjectPlace, scale: JsonObject): void {
  const accepted = negotiate(exchange.request, objectConversions);
  const request = { query: exchange.query, version: accepted.asVersion };
  const json =
    accepted.as === 'Table' ? objectTable(core, info, scale as unknown as KubeObject, request) : JSON.stringify(scale);
  sendJson(exchange, 200, json, accepted);
}

interface ScaleWrite {
  readonly kind: PatchKind | 'update';
  readonly context: WriteContext;
}

async function writeScale(
  { registry }: SandboxCore,
  { request }: Exchange,
  place: ObjectPlace,
  { kind, context }: ScaleWrite,
): Promise<StoredObject> {
  const body = kind === 'update' ? await readJsonObject(request, 'Scale') : parsePatch(await readBody(request), kind);
  const stored = getStored(registry, place);
  const before = inVersion(place.info, stored).object;
  const scale = kind === 'update' ? body : applyPatch(place, { kind, value: body }, scaleOf(place, before, 'lenient'));
  if (!isJsonObject(scale) || (stringAt(scale, 'kind') ?? 'Scale') !== 'Scale')
    throw badRequest('the object provided is unrecognized (must be of type Scale)');
  checkScale(place, before, scale);
  const object = cloneJson(before);
  setReplicas(place, object, scale);
  return writeUpdate(registry, place, { current: stored, object }, context);
}

/** Server-side apply of a Scale: of the replicas of its object, by a manager of the subresource. */
async function applyScale(
  { registry }: SandboxCore,
  { request, query }: Exchange,
  place: ObjectPlace,
  context: WriteContext,
): Promise<StoredObject> {
  const scale = readYaml(await readBody(request));
  if (!scale.ok || !isJsonObject(scale.value)) throw badRequest('error decoding YAML: the body is no Scale');
  const object: KubeObject = { ...expectedKind(place.info), metadata: { name: place.name } };
  setReplicas(place, object, scale.value);
  const force = isTrue(query.get('force'));
  if (!force) refuseUnowned(place, getStored(registry, place).object, object);
  const apply = { text: JSON.stringify(object), force, manager: context.fieldManager };
  return applyObject(registry, place, apply, context).stored;
}

/** 409 when an apply would change replicas without a known manager: they count as set before the first apply. */
function refuseUnowned(place: ObjectPlace, current: KubeObject, wanted: KubeObject): void {
  const keys = keysOf(pathsOf(place).specReplicasPath);
  const before = getAt(current, ...keys);
  const owned = (current.metadata.managedFields ?? []).some((entry) => {
    return getAt(entry, 'fieldsV1', ...keys.map((key) => `f:${key}`)) !== undefined;
  });
  if (owned || before === undefined || before === getAt(wanted, ...keys)) return;
  const who = 'conflict with "before-first-apply" with subresource "scale" using autoscaling/v1';
  throw failure(409, 'Conflict', `Apply failed with 1 conflict: ${who}: .spec.replicas`, {
    causes: [{ reason: 'FieldManagerConflict', message: who, field: '.spec.replicas' }],
  });
}

function checkScale(place: ObjectPlace, before: KubeObject, scale: JsonObject): void {
  const { info, name } = place;
  refuseOtherName(place, stringAt(scale, 'metadata', 'name') || name);
  checkVersion(place, stringAt(scale, 'metadata', 'resourceVersion'), before);
  const replicas = getAt(scale, 'spec', 'replicas') ?? 0;
  if (typeof replicas !== 'number' || !Number.isInteger(replicas)) {
    throw badRequest(
      'Scale in version "v1" cannot be handled as a Scale: json: cannot unmarshal into Go struct field ScaleSpec.spec.replicas of type int32',
    );
  }
  if (replicas >= 0) return;
  const path = info.custom?.scale?.specReplicasPath;
  throw path === undefined
    ? invalidStatus({ group: 'autoscaling', kind: 'Scale' }, name, [
        invalid('spec.replicas', replicas, 'must be greater than or equal to 0'),
      ])
    : invalidStatus(info, name, [invalid(path, replicas, 'should be a non-negative integer')]);
}

function pathsOf({ info }: ObjectPlace): ScalePaths {
  return info.custom?.scale ?? BUILTIN_PATHS;
}

function keysOf(path: string): string[] {
  return path.replace(/^\./, '').split('.');
}

function setReplicas(place: ObjectPlace, object: KubeObject, scale: JsonObject): void {
  const keys = keysOf(pathsOf(place).specReplicasPath);
  const last = keys.pop() ?? '';
  let target = object as unknown as JsonObject;
  for (const key of keys) {
    if (!isJsonObject(target[key])) setOwn(target, key, {});
    target = target[key] as JsonObject;
  }
  const replicas = getAt(scale, 'spec', 'replicas') ?? 0;
  if (!jsonEqual(target[last], replicas)) setOwn(target, last, replicas);
}

function scaleOf(place: ObjectPlace, object: KubeObject, reading: 'strict' | 'lenient'): JsonObject {
  const paths = pathsOf(place);
  const replicas = getAt(object, ...keysOf(paths.specReplicasPath));
  if (replicas === undefined && reading === 'strict' && place.info.custom !== undefined) {
    throw internalError(`the spec replicas field ${JSON.stringify(paths.specReplicasPath)} does not exist`);
  }
  const selector = selectorOf(place, object, paths);
  const metadata: JsonObject = {};
  for (const key of ['name', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp'] as const) {
    const value = object.metadata[key];
    if (value !== undefined) metadata[key] = value;
  }
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata,
    spec: typeof replicas === 'number' && replicas !== 0 ? { replicas } : {},
    status: {
      replicas: getAt(object, ...keysOf(paths.statusReplicasPath)) ?? 0,
      ...(selector === '' ? {} : { selector }),
    },
  };
}

function selectorOf({ info }: ObjectPlace, object: KubeObject, { labelSelectorPath }: ScalePaths): string {
  if (info.custom === undefined) return formatLabelSelector(objectAt(object, 'spec', 'selector'));
  return labelSelectorPath === undefined ? '' : (stringAt(object, ...keysOf(labelSelectorPath)) ?? '');
}
