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
import { applyJsonPatch } from '@/lib/kube/patch/json-patch';
import { applyMergePatch } from '@/lib/kube/patch/merge-patch';
import { PatchError } from '@/lib/kube/patch/patch-error';
import { readYaml } from '@/lib/yaml/yaml';
import { badRequest, conflict, failure, internalError, invalid } from '../errors/status';
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
import { patchFailure } from '../registry/patch';
import { getStored, type ObjectPlace } from '../registry/registry';
import type { ScalePaths } from '../registry/resource-info';
import { writeUpdate } from '../registry/update';
import { formatLabelSelector } from '../selectors/selector';
import { objectTable } from '../tables/table';
import { parsePatch, patchKind } from './patch-handler';

const BUILTIN_PATHS: ScalePaths = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };

/** GET, PUT and PATCH of `/scale` (autoscaling/v1 Scale) of built-in and of custom resources. */
export async function serveScale(core: SandboxCore, exchange: Exchange, place: ObjectPlace): Promise<void> {
  if (exchange.info.verb === 'get') {
    const stored = getStored(core.registry, place);
    await core.registry.store.committed();
    sendScale(core, exchange, place, scaleOf(place, inVersion(place.info, stored).object, 'strict'));
    return;
  }
  const isPatch = exchange.info.verb === 'patch';
  const context = writeContext(exchange, isPatch ? 'PatchOptions' : 'UpdateOptions', 'scale');
  if (isPatch && patchKind(exchange, place) === 'apply') {
    await applyScale(core, exchange, place, context);
    return;
  }
  const change = isPatch ? await patchOf(exchange, place) : await replacementOf(exchange);
  const stored = getStored(core.registry, place);
  const before = inVersion(place.info, stored).object;
  const scale = change(scaleOf(place, before, 'lenient'));
  checkScale(place, before, scale);
  const object = cloneJson(before);
  setReplicas(place, object, scale);
  // What the strategy sees is an ordinary update: replicas are part of spec.
  const written = writeUpdate(core.registry, place, stored, object, {
    ...context,
    subresource: undefined,
    managerSubresource: 'scale',
  });
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

/** Server-side apply of a Scale: of the replicas of its object, by a manager of the subresource. */
async function applyScale(
  core: SandboxCore,
  exchange: Exchange,
  place: ObjectPlace,
  context: WriteContext,
): Promise<void> {
  const scale = readYaml(await readBody(exchange.request));
  if (!scale.ok || !isJsonObject(scale.value)) throw badRequest('error decoding YAML: the body is no Scale');
  const object: KubeObject = { ...expectedKind(place.info), metadata: { name: place.name } };
  setReplicas(place, object, scale.value);
  const request = {
    text: JSON.stringify(object),
    force: isTrue(exchange.query.get('force')),
    manager: exchange.query.get('fieldManager') ?? '',
  };
  if (!request.force) refuseUnowned(place, getStored(core.registry, place).object, object);
  const scaleContext = { ...context, subresource: undefined, managerSubresource: 'scale' };
  const { stored } = applyObject(core.registry, place, request, scaleContext);
  await core.registry.store.committed();
  sendScale(core, exchange, place, scaleOf(place, stored.object, 'lenient'));
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

type Change = (scale: JsonObject) => JsonObject;

async function replacementOf(exchange: Exchange): Promise<Change> {
  const value = await readJsonObject(exchange.request, 'Scale');
  const kind = stringAt(value, 'kind') ?? 'Scale';
  if (kind !== 'Scale') throw badRequest(`the object provided is unrecognized (must be of type Scale): ${kind}`);
  return () => value;
}

async function patchOf(exchange: Exchange, place: ObjectPlace): Promise<Change> {
  const kind = patchKind(exchange, place);
  if (kind === 'apply') throw badRequest('an apply is no patch of a Scale');
  const patch = parsePatch(await readBody(exchange.request), kind);
  return (scale) => {
    try {
      const patched = kind === 'json' ? applyJsonPatch(scale, patch) : applyMergePatch(scale, patch);
      if (!isJsonObject(patched)) throw badRequest('the patch does not give a Scale');
      return patched;
    } catch (error) {
      throw error instanceof PatchError ? patchFailure(error) : error;
    }
  };
}

function checkScale(place: ObjectPlace, before: KubeObject, scale: JsonObject): void {
  const { info, name } = place;
  const given = stringAt(scale, 'metadata', 'name') ?? '';
  if (given !== '' && given !== name)
    throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
  const version = stringAt(scale, 'metadata', 'resourceVersion') ?? '';
  if (version !== '' && version !== before.metadata.resourceVersion) {
    throw conflict(
      info,
      name,
      'the object has been modified; please apply your changes to the latest version and try again',
    );
  }
  const replicas = getAt(scale, 'spec', 'replicas') ?? 0;
  if (typeof replicas !== 'number' || !Number.isInteger(replicas)) {
    throw badRequest(
      'Scale in version "v1" cannot be handled as a Scale: json: cannot unmarshal into Go struct field ScaleSpec.spec.replicas of type int32',
    );
  }
  if (replicas >= 0) return;
  const custom = info.custom?.scale !== undefined;
  const field = custom ? (info.custom?.scale?.specReplicasPath ?? '') : 'spec.replicas';
  const problem = custom ? 'should be a non-negative integer' : 'must be greater than or equal to 0';
  throw invalid(custom ? info : { group: 'autoscaling', kind: 'Scale' }, name, [
    { field, type: 'FieldValueInvalid', message: `Invalid value: ${replicas}: ${problem}` },
  ]);
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
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const metadata: JsonObject = {};
  for (const [key, value] of Object.entries({ name, namespace, uid, resourceVersion, creationTimestamp })) {
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

function selectorOf({ info }: ObjectPlace, object: KubeObject, paths: ScalePaths): string {
  if (info.custom !== undefined) {
    return paths.labelSelectorPath === undefined ? '' : (stringAt(object, ...keysOf(paths.labelSelectorPath)) ?? '');
  }
  const selector = objectAt(object, 'spec', 'selector');
  return formatLabelSelector(selector);
}
