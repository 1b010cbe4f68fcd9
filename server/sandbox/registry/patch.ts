import { cloneJson, isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import { builtinSchema } from '@/lib/kube/builtin/builtin';
import { type KubeObject, kindOf } from '@/lib/kube/object';
import { formatGo } from '@/lib/kube/patch/go-format';
import { applyJsonPatch } from '@/lib/kube/patch/json-patch';
import { applyMergePatch } from '@/lib/kube/patch/merge-patch';
import { PatchError } from '@/lib/kube/patch/patch-error';
import { applyStrategicPatch } from '@/lib/kube/patch/strategic-merge';
import { invalid } from '@/lib/schema/field-error';
import { jsonTypeName } from '../errors/json-type-name';
import { badRequest, failure, invalidStatus, StatusError } from '../errors/status';
import { DecodeError } from '../kinds/decode/decode-error';
import type { StoredObject } from '../store/collection';
import type { WriteContext } from './context';
import { inVersion } from './convert';
import { settleNamespace } from './create';
import { decodeObject, expectedKind } from './decode-object';
import { checkVersion, getStored, type ObjectPlace, type Registry, refuseOtherName } from './registry';
import type { ResourceInfo } from './resource-info';
import type { ResourceTable } from './resource-table';
import { writeUpdate } from './update';

export type PatchKind = 'json' | 'merge' | 'strategic';

/** A patch in one of the formats. */
export interface ObjectPatch {
  readonly kind: PatchKind;
  readonly value: JsonValue;
}

/** Applies a patch to an object and writes the result like an update. */
export function patchObject(
  registry: Registry,
  place: ObjectPlace,
  patch: ObjectPatch,
  context: WriteContext,
): StoredObject {
  const current = getStored(registry, place);
  const before = inVersion(place.info, current).object;
  const patched = applyPatch(place, patch, cloneJson(before) as unknown as JsonObject);
  const { kind, value } = patch;
  const shown = () => (kind === 'strategic' ? formatGo(value) : JSON.stringify(patched));
  const object = decodePatched(registry, place, patched, { shown, kind, context });
  refuseOtherName(place, object.metadata.name);
  settleNamespace(place.info, place.namespace, object);
  checkVersion(place, object.metadata.resourceVersion, current.object);
  return writeUpdate(registry, place, { current, object }, context);
}

/** The patched object; `target` is given away. Throws the Status of a patch that does not apply. */
export function applyPatch({ info }: ObjectPlace, { kind, value: patch }: ObjectPatch, target: JsonObject): JsonValue {
  try {
    if (kind === 'json') return applyJsonPatch(target, patch);
    if (kind === 'merge') return applyMergePatch(target, patch);
    if (patch === null) return target;
    if (!isJsonObject(patch))
      throw badRequest(`json: cannot unmarshal ${jsonTypeName(patch)} into Go value of type map[string]interface {}`);
    return applyStrategicPatch(target, patch, builtinSchema(info));
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    throw failure(error.code, error.reason, error.message, error.code === 422 ? {} : undefined);
  }
}

interface Shown {
  /** What the message calls the value: the patched object, or the patch of a strategic merge. */
  readonly shown: () => string;
  readonly kind: PatchKind;
  readonly context: WriteContext;
}

/** The result of a patch must be an object of the kind: 422 on the field `patch` when it is not. */
function decodePatched(
  { table }: Registry,
  { info }: ObjectPlace,
  patched: JsonValue,
  { shown, kind, context }: Shown,
): KubeObject {
  if (!isJsonObject(patched) || !isJsonObject(patched.metadata ?? {})) {
    throw invalidPatch(
      shown,
      'json: cannot unmarshal string into Go struct field ObjectMeta.metadata of type v1.ObjectMeta',
    );
  }
  refuseOtherKind(table, info, patched, shown);
  try {
    return decodeObject(info, { ...patched, metadata: patched.metadata ?? {} } as unknown as KubeObject, context);
  } catch (error) {
    if (error instanceof DecodeError)
      throw invalidPatch(shown, kind === 'strategic' ? error.restoreDetail : error.detail);
    const strict = error instanceof StatusError ? /strict decoding error: .*$/s.exec(error.message) : null;
    throw strict === null ? error : invalidPatch(shown, strict[0]);
  }
}

function refuseOtherKind(table: ResourceTable, info: ResourceInfo, patched: JsonObject, shown: () => string): void {
  const expected = expectedKind(info);
  const { apiVersion, kind } = patched;
  if (apiVersion === expected.apiVersion && kind === expected.kind) return;
  if (info.custom !== undefined) {
    throw badRequest(
      kind === expected.kind
        ? `the API version in the data (${String(apiVersion)}) does not match the expected API version (${expected.apiVersion})`
        : `the kind in the data (${String(kind)}) does not match the expected kind (${expected.kind})`,
    );
  }
  const other = table.findKind(kindOf({ apiVersion: String(apiVersion), kind: String(kind) }));
  if (other !== undefined) throw invalidPatch(shown, faultAs(other, patched));
  const found = `no kind ${JSON.stringify(kind ?? '')} is registered for version ${JSON.stringify(apiVersion ?? '')} in scheme "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30"`;
  throw invalidPatch(shown, found);
}

/** What is wrong with an object that a patch turned into another kind. */
function faultAs(other: ResourceInfo, patched: JsonObject): string {
  try {
    other.strategy.decode(cloneJson(patched) as unknown as KubeObject);
  } catch (error) {
    if (error instanceof DecodeError) return error.detail;
    throw error;
  }
  return `converting (${other.kind}) to another kind: unknown conversion`;
}

function invalidPatch(shown: () => string, why: string): StatusError {
  return invalidStatus({ group: '', kind: '' }, '', [invalid('patch', shown(), why)]);
}
