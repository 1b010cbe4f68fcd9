import { cloneJson, isJsonObject, type JsonObject } from '@/lib/json/json';
import { builtinSchema } from '@/lib/kube/builtin/builtin';
import { isBuiltIn } from '@/lib/kube/health/health';
import { type KubeObject, kindOf, nameOf, namespaceOf, parseApiVersion } from '@/lib/kube/object';
import { identityChangedBy, threeWayMergePatch } from '@/lib/kube/patch/merge-patch';
import { threeWayStrategicPatch } from '@/lib/kube/patch/three-way';
import { withReplacedElements } from '@/lib/kudo/drift/replaced-elements';
import { manifestOfRecord } from '@/lib/kudo/inventory/applied-manifest';
import { APPLY_MARKS } from '@/lib/kudo/inventory/manifest-digest';
import { withoutRecordNoise } from '@/lib/kudo/inventory/record-noise';
import { withoutSecretValues } from '@/lib/kudo/inventory/secret-data';
import { LAST_APPLIED_ANNOTATION } from '@/lib/kudo/names';
import { RenderError } from '@/lib/kudo/rendering/render-error';

/** An object without KUDO's record is taken over only when its owner says so with this annotation. */
const ADOPT_ANNOTATION = 'bravo.kudo.dev/adopt';

/** Above this size the record of what was applied would not fit beside the object (256 KiB for all annotations). */
const MAX_RECORD_CHARS = 240_000;

/** The object with a record of itself, in which a Secret shows no values; without one when it is too large for that. */
export function withLastApplied(object: KubeObject): KubeObject {
  const plain = withoutRecord(object);
  const record = JSON.stringify(withoutSecretValues(plain));
  if (record.length > MAX_RECORD_CHARS) return plain;
  const annotations = { ...plain.metadata.annotations, [LAST_APPLIED_ANNOTATION]: record };
  return { ...plain, metadata: { ...plain.metadata, annotations } };
}

function withoutRecord(object: KubeObject): KubeObject {
  const copy = cloneJson(object);
  if (copy.metadata.annotations !== undefined) delete copy.metadata.annotations[LAST_APPLIED_ANNOTATION];
  return copy;
}

/** What was applied last: the live object's own record; nothing for an object that may be adopted. */
export function lastApplied(live: KubeObject): JsonObject {
  const annotations = live.metadata.annotations ?? {};
  const record = annotations[LAST_APPLIED_ANNOTATION];
  if (record === undefined) {
    const foreign = Object.keys(annotations).length > 0 && annotations[ADOPT_ANNOTATION] !== 'true';
    if (!foreign) return {};
    const place = [namespaceOf(live), nameOf(live)].filter((part) => part !== '').join('/');
    throw new RenderError(
      `${live.kind} ${place} was made by somebody else (it has annotations, but no ${LAST_APPLIED_ANNOTATION}); ` +
        `set the annotation ${ADOPT_ANNOTATION}: "true" on it to let this Instance take it over`,
    );
  }
  // Nothing was applied then, as KUDO reads it too.
  if (record === '' || record === 'null') return {};
  try {
    const value: unknown = JSON.parse(record);
    if (isJsonObject(value))
      return (manifestOfRecord(value, live) ?? withoutRecordNoise(value)) as unknown as JsonObject;
  } catch {
    // Said below.
  }
  throw new RenderError(`${live.kind} ${nameOf(live)} has a record of what was applied that is no JSON object`);
}

/** Kinds built into Kubernetes merge lists by their keys; everything else replaces them whole. */
export function computePatch(original: JsonObject, modified: KubeObject, live: KubeObject) {
  const { group } = parseApiVersion(modified.apiVersion);
  const wanted = modified as unknown as JsonObject;
  const current = live as unknown as JsonObject;
  if (isBuiltIn(group) && group !== 'apiextensions.k8s.io') {
    const schema = builtinSchema(kindOf(modified));
    return { type: 'strategic' as const, patch: threeWayStrategicPatch(original, wanted, current, schema) };
  }
  const patch = threeWayMergePatch(original, wanted, current);
  const changed = identityChangedBy(patch);
  if (changed !== undefined) throw new RenderError(`${modified.kind} ${nameOf(modified)} would change its ${changed}`);
  return { type: 'merge' as const, patch };
}

/** True when a patch would change nothing, or nothing but KUDO's own marks when those do not count. */
export function isEmptyPatch(patch: JsonObject, countMarks: boolean): boolean {
  const keys = Object.keys(patch);
  if (keys.length === 0) return true;
  if (countMarks || keys.length > 1 || !isJsonObject(patch.metadata)) return false;
  const { annotations, ...others } = patch.metadata;
  if (Object.keys(others).length > 0 || !isJsonObject(annotations)) return false;
  return Object.keys(annotations).every((key) => APPLY_MARKS.has(key));
}

/** The record of what was applied, with the elements of lists that stand in place of ours: a merge with it takes them away. */
export function withReplaced(record: JsonObject, wanted: KubeObject, live: KubeObject): JsonObject {
  const schema = builtinSchema(kindOf(wanted));
  return withReplacedElements(record, wanted as unknown as JsonObject, live as unknown as JsonObject, schema);
}
