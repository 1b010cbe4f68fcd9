import { getAt, isJsonObject, type JsonObject, type JsonValue, jsonEqual } from '@/lib/json/json';
import { isKubeObject, type KubeObject } from '@/lib/kube/object';
import { applyMergePatch, createMergePatch } from '@/lib/kube/patch/merge-patch';
import { INVENTORY_ANNOTATION } from '@/lib/kudo/inventory/inventory';
import { ACTED_UPON_ANNOTATION } from '@/lib/kudo/plan/acted-upon-annotation';
import { HISTORY_ANNOTATION } from '@/lib/kudo/plan/run-history';
import { SECRET_MARK } from '@/lib/live/secret-mark';
import { START_MARK_ANNOTATION } from '@/lib/live/start-mark';
import { readYaml, writeYaml } from '@/lib/yaml/yaml';

/** Fields that the API server and the controller write; they are not editable. */
const NOT_EDITED = ['managedFields', 'resourceVersion', 'generation', 'uid', 'creationTimestamp'] as const;

/** Annotations that the controller and kubectl write for themselves. */
const NOTES: readonly string[] = [
  ACTED_UPON_ANNOTATION,
  INVENTORY_ANNOTATION,
  HISTORY_ANNOTATION,
  START_MARK_ANNOTATION,
  'kubectl.kubernetes.io/last-applied-configuration',
];

/** An Instance as text to edit, without status and fields that the server writes. Secrets are masked already. */
export function editableYaml(object: KubeObject): string {
  const { status: _status, ...rest } = object;
  const metadata = { ...object.metadata };
  for (const key of NOT_EDITED) delete metadata[key];
  const kept = Object.entries(metadata.annotations ?? {}).filter(([name]) => !NOTES.includes(name));
  if (kept.length > 0) metadata.annotations = Object.fromEntries(kept);
  else delete metadata.annotations;
  return writeYaml({ ...rest, metadata });
}

export type YamlEdit =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'wrong'; readonly message: string }
  | { readonly kind: 'patch'; readonly patch: JsonObject };

/** The difference between an edited text and its base, as a merge patch. Masked secrets cancel out. */
export function yamlEdit(base: string, edited: string): YamlEdit {
  const from = readYaml(base);
  const to = readYaml(edited);
  if (!to.ok) {
    const [problem] = to.problems;
    return { kind: 'wrong', message: problem === undefined ? 'Not YAML.' : `Line ${problem.line}: ${problem.message}` };
  }
  if (!from.ok || !isJsonObject(from.value) || !isJsonObject(to.value) || !isKubeObject(to.value)) {
    return { kind: 'wrong', message: 'This is not an Instance: apiVersion, kind and metadata are required.' };
  }
  for (const path of [['apiVersion'], ['kind'], ['metadata', 'name'], ['metadata', 'namespace']]) {
    if (!jsonEqual(getAt(from.value, ...path), getAt(to.value, ...path))) {
      return { kind: 'wrong', message: `${path.join('.')} cannot be changed; it would be another object.` };
    }
  }
  const patch = createMergePatch(from.value, to.value);
  return Object.keys(patch).length === 0 ? { kind: 'unchanged' } : { kind: 'patch', patch };
}

/** An Instance with the change of an edit. */
export function patched(instance: KubeObject, patch: JsonObject): KubeObject {
  return applyMergePatch(instance as unknown as JsonObject, patch) as unknown as KubeObject;
}

/** Paths that the patch changes and that somebody else changed since the edit started. */
export function conflictsOf(
  patch: JsonObject,
  base: JsonValue,
  current: JsonValue,
  path: readonly string[] = [],
): string[] {
  return Object.entries(patch).flatMap(([key, value]) => {
    const here = [...path, key];
    const was = getAt(base, ...here);
    // A secret is masked in the base and plain in the object that is read again: it cannot be compared.
    if (was === SECRET_MARK) return [];
    const is = getAt(current, ...here);
    if (isJsonObject(value) && isJsonObject(was) && isJsonObject(is)) return conflictsOf(value, base, current, here);
    return jsonEqual(was, is) ? [] : [here.join('.')];
  });
}
