import { isJsonObject, type JsonObject, type JsonValue, jsonEqual } from '@/lib/json/json';
import { isKubeObject, type KubeObject } from '@/lib/kube/object';
import { driftOf } from '@/lib/kudo/drift/drift';
import { contentDigest } from '@/lib/kudo/inventory/manifest-digest';

/**
 * True when what is wanted was applied before and stands: the record says the same, and the live object has all of it. A patch
 * would then change nothing, although the texts differ: the API writes amounts in its own way (`1000m` is `1`), leaves empty
 * members out, adds defaults to the elements of lists that it replaces whole (claims of a StatefulSet), and keeps `stringData`
 * as `data`. Without this every reconcile of a step that waits would write, and every edit would write every such object.
 *
 * @param original what was applied last, without the zero values of Go; empty when nothing is known
 */
export function isInForce(original: JsonObject, wanted: KubeObject, live: KubeObject): boolean {
  if (!isKubeObject(original) || !jsonEqual(finalizers(original), finalizers(wanted))) return false;
  return saysTheSame(original, wanted) && driftOf(wanted, live).length === 0;
}

/** KUDO's records are of Go's types, so amounts and empty members differ from the template's there. */
function saysTheSame(original: KubeObject, wanted: KubeObject): boolean {
  if (contentDigest(original) === contentDigest(wanted)) return true;
  const isEqual = driftOf(wanted, original).length === 0 && driftOf(original, wanted).length === 0;
  return isEqual && jsonEqual(namesInOrder(original.spec), namesInOrder(wanted.spec));
}

function finalizers(object: KubeObject): string[] {
  return object.metadata.finalizers ?? [];
}

/** The names in lists, in their order, at any depth: variables of an environment refer to those before them. */
function namesInOrder(value: unknown): JsonValue {
  if (Array.isArray(value)) {
    return value.map((element) => (isJsonObject(element) ? [element.name ?? '', namesInOrder(element)] : ''));
  }
  if (!isJsonObject(value)) return '';
  const lists = Object.keys(value)
    .sort()
    .map((key) => namesInOrder(value[key]))
    .filter((names) => names !== '');
  return lists.length === 0 ? '' : lists;
}
