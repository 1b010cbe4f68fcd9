import { isJsonObject, type JsonObject, type JsonValue, jsonEqual, objectAt } from '@/lib/json/json';
import { builtinSchema } from '@/lib/kube/builtin/builtin';
import { isBuiltIn } from '@/lib/kube/health/health';
import { type KubeObject, kindOf, parseApiVersion } from '@/lib/kube/object';
import { listPatchMeta } from '@/lib/kube/patch/patch-meta';
import { canonicalQuantity, compareQuantities } from '@/lib/kube/quantity';
import { APPLY_MARKS } from '@/lib/kudo/inventory/manifest-digest';
import { withDataOfTexts } from '@/lib/kudo/inventory/secret-data';
import { type JsonSchema, memberSchema } from '@/lib/schema/json-schema';

/** One field that we applied and that has another value now. */
export interface Difference {
  /** `spec.ports[0].port`; keys with dots in brackets: `data["my.conf"]`; elements of named lists by name: `containers[db]`. */
  readonly path: string;
  readonly wanted: JsonValue;
  /** Undefined when the field is not set. */
  readonly live: JsonValue | undefined;
}

/**
 * Where a live object differs from what was applied, in the applied fields only: fields that others added (defaults, status,
 * annotations, more elements of lists that merge by key) are no difference, nor are other spellings of the same value (quantities,
 * texts of Secrets, empty members that the API server drops). A volume that has grown since is no difference either.
 */
export function driftOf(applied: KubeObject, live: KubeObject): Difference[] {
  const { group } = parseApiVersion(applied.apiVersion);
  const schema = isBuiltIn(group) ? builtinSchema(kindOf(applied)) : undefined;
  const wanted = withDataOfTexts(applied);
  const found: Difference[] = [];
  for (const [key, value] of Object.entries(wanted)) {
    if (key === 'apiVersion' || key === 'kind' || key === 'status' || key === 'metadata') continue;
    const place = { path: key, key, schema: memberSchema(schema, key), parent: schema };
    compare(value as JsonValue, live[key] as JsonValue | undefined, place, found);
  }
  found.push(...metadataDrift(wanted, live));
  return found.filter((difference) => !isGrownVolume(applied, difference));
}

function metadataDrift(wanted: KubeObject, live: KubeObject): Difference[] {
  const found: Difference[] = [];
  for (const part of ['labels', 'annotations'] as const) {
    for (const [name, value] of Object.entries(wanted.metadata[part] ?? {})) {
      if (APPLY_MARKS.has(name)) continue;
      const now = live.metadata[part]?.[name];
      if (now !== value) found.push({ path: step(`metadata.${part}`, name), wanted: value, live: now });
    }
  }
  const owners = new Set((live.metadata.ownerReferences ?? []).map(({ uid }) => uid));
  for (const owner of wanted.metadata.ownerReferences ?? []) {
    if (owners.has(owner.uid)) continue;
    found.push({ path: `metadata.ownerReferences[${owner.kind} ${owner.name}]`, wanted: owner.name, live: undefined });
  }
  return found;
}

interface Place {
  readonly path: string;
  readonly key: string;
  readonly schema: JsonSchema | undefined;
  /** The schema of the object that has the key: says how a list under it merges. */
  readonly parent: JsonSchema | undefined;
}

function compare(wanted: JsonValue, live: JsonValue | undefined, place: Place, found: Difference[]): void {
  if (isSameNothing(wanted, live, keepsEmpty(place))) return;
  if (isJsonObject(wanted) && isJsonObject(live)) {
    for (const [key, value] of Object.entries(wanted)) {
      if (isUnknown(place.schema, key)) continue;
      const inner = { path: step(place.path, key), key, schema: memberSchema(place.schema, key), parent: place.schema };
      compare(value, Object.hasOwn(live, key) ? live[key] : undefined, inner, found);
    }
    return;
  }
  if (Array.isArray(wanted) && Array.isArray(live)) {
    compareLists(wanted, live, place, found);
    return;
  }
  if (jsonEqual(wanted, live) || isSameQuantity(wanted, live, place)) return;
  found.push({ path: place.path, wanted, live });
}

function compareLists(wanted: JsonValue[], live: JsonValue[], place: Place, found: Difference[]): void {
  const { mergeKey, strategy } = listPatchMeta(place.parent, place.key);
  const elements = place.schema?.items;
  if (strategy === 'merge' && mergeKey !== '') {
    compareMerged({ wanted, live, mergeKey }, { ...place, schema: elements }, found);
    return;
  }
  if (strategy === 'merge') {
    const missing = wanted.filter((element) => !live.some((other) => jsonEqual(element, other)));
    if (missing.length > 0) found.push({ path: place.path, wanted, live });
    return;
  }
  if (wanted.length !== live.length) {
    found.push({ path: place.path, wanted, live });
    return;
  }
  for (const [index, element] of wanted.entries()) {
    const path = `${place.path}[${index}]`;
    compare(element, live[index], { path, key: place.key, schema: elements, parent: undefined }, found);
  }
}

/** Lists whose elements are known by the value of one field. */
interface MergedLists {
  readonly wanted: readonly JsonValue[];
  readonly live: readonly JsonValue[];
  readonly mergeKey: string;
}

/** By merge key; an element whose key was changed is compared with the element at its index. */
function compareMerged({ wanted, live, mergeKey }: MergedLists, place: Place, found: Difference[]): void {
  const keyOf = (element: JsonValue | undefined) => (isJsonObject(element) ? element[mergeKey] : undefined);
  const known = new Set(wanted.map(keyOf));
  for (const [index, element] of wanted.entries()) {
    const key = keyOf(element);
    const isNamed = mergeKey === 'name' && typeof key === 'string';
    const path = `${place.path}[${isNamed ? key : index}]`;
    const same = live.find((other) => keyOf(other) === key);
    const neighbour = wanted.length === live.length && !known.has(keyOf(live[index])) ? live[index] : undefined;
    const other = same ?? neighbour;
    if (other === undefined) found.push({ path, wanted: element, live: undefined });
    else compare(element, other, { ...place, path, parent: undefined }, found);
  }
}

/** True for an empty value that the API server drops; entries of maps (`data`) and members of custom kinds are kept. */
function isSameNothing(wanted: JsonValue, live: JsonValue | undefined, staysEmpty: boolean): boolean {
  if (live !== undefined && live !== null) return false;
  if (wanted === null) return true;
  if (staysEmpty) return false;
  if (wanted === '' || wanted === false || wanted === 0) return true;
  if (Array.isArray(wanted)) return wanted.length === 0;
  return isJsonObject(wanted) && Object.values(wanted).every((member) => isSameNothing(member, undefined, false));
}

function keepsEmpty({ schema, parent }: Place): boolean {
  const isForeign = schema === undefined && parent === undefined;
  return isForeign || (parent?.properties === undefined && parent?.additionalProperties !== undefined);
}

/** A member that a built-in kind does not have: the API server drops it. */
function isUnknown(schema: JsonSchema | undefined, key: string): boolean {
  if (schema?.properties === undefined || Object.hasOwn(schema.properties, key)) return false;
  return schema.additionalProperties === undefined && schema['x-kubernetes-preserve-unknown-fields'] !== true;
}

function isSameQuantity(wanted: JsonValue, live: JsonValue | undefined, { schema }: Place): boolean {
  if (schema?.component?.endsWith('.Quantity') !== true) return false;
  if (!isQuantityText(wanted) || !isQuantityText(live)) return false;
  const canonical = canonicalQuantity(wanted);
  return canonical !== undefined && canonical === canonicalQuantity(live);
}

function isQuantityText(value: JsonValue | undefined): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

/** A PersistentVolumeClaim may grow and never shrinks: a person or a controller made it larger. */
function isGrownVolume(applied: KubeObject, { path, wanted, live }: Difference): boolean {
  if (applied.kind !== 'PersistentVolumeClaim' || path !== 'spec.resources.requests.storage') return false;
  return isQuantityText(wanted) && isQuantityText(live) && compareQuantities(live, wanted) > 0;
}

function step(path: string, key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? `${path}.${key}` : `${path}["${key}"]`;
}

/** The differences that are left when a HorizontalPodAutoscaler sets the number of pods: that number is no drift. */
export function withoutReplicas(differences: readonly Difference[]): Difference[] {
  return differences.filter(({ path }) => path !== 'spec.replicas');
}

/**
 * The differences that a write of the manifest reverts. A difference that remains was nobody's change: the API server drops the
 * field, because its version does not know it, or because a CustomResourceDefinition does not define it.
 */
export function undoneBy(differences: readonly Difference[], applied: KubeObject, written: KubeObject): Difference[] {
  const left = new Map(driftOf(applied, written).map(({ path, live }) => [path, live ?? null]));
  return differences.filter(({ path, live }) => {
    const now = left.get(path);
    return now === undefined || !jsonEqual(now, live ?? null);
  });
}

/** The object that a HorizontalPodAutoscaler sizes, as `kind/name`; undefined for one that names none. */
export function scaledBy(autoscaler: KubeObject): string | undefined {
  const { kind, name } = objectAt(autoscaler.spec, 'scaleTargetRef') as JsonObject;
  return typeof kind === 'string' && typeof name === 'string' ? `${kind}/${name}` : undefined;
}
