import {
  getAt,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  objectAt,
  setOwn,
  stringAt,
} from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { invalid } from '@/lib/schema/field-error';
import { readYaml } from '@/lib/yaml/yaml';
import { badRequest, failure, internalError, invalidStatus } from '../errors/status';
import { expectedKind } from '../registry/decode-object';
import { checkVersion, type ObjectPlace, refuseOtherName } from '../registry/registry';
import type { ScalePaths } from '../registry/resource-info';
import { formatLabelSelector } from '../selectors/selector';

const BUILTIN_PATHS: ScalePaths = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };

/** The Scale of an object. A custom resource without replicas has none when the reading is strict: 500. */
export function scaleOf(place: ObjectPlace, object: KubeObject, reading: 'strict' | 'lenient'): JsonObject {
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

function pathsOf({ info }: ObjectPlace): ScalePaths {
  return info.custom?.scale ?? BUILTIN_PATHS;
}

function keysOf(path: string): string[] {
  return path.replace(/^\./, '').split('.');
}

/** Sets the replicas of an object to those of a Scale, in place. */
export function setReplicas(place: ObjectPlace, object: KubeObject, scale: JsonValue): void {
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

/** What a manager applies who applies a Scale: an object of the resource with nothing but replicas. */
export function appliedObject(place: ObjectPlace, text: string): KubeObject {
  const scale = readYaml(text);
  if (!scale.ok || !isJsonObject(scale.value)) throw badRequest('error decoding YAML: the body is no Scale');
  const object: KubeObject = { ...expectedKind(place.info), metadata: { name: place.name } };
  setReplicas(place, object, scale.value);
  return object;
}

/** 409 when an apply would change replicas without a known manager: they count as set before the first apply. */
export function refuseUnowned(place: ObjectPlace, current: KubeObject, wanted: KubeObject): void {
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

/** Refuses what is no Scale, a Scale of another object or version, and one whose replicas are no count. */
export function checkScale(place: ObjectPlace, before: KubeObject, scale: JsonValue): void {
  if (!isJsonObject(scale) || (stringAt(scale, 'kind') ?? 'Scale') !== 'Scale')
    throw badRequest('the object provided is unrecognized (must be of type Scale)');
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
