import { md5 } from '@noble/hashes/legacy.js';
import { arrayAt, type JsonObject, objectAt, parseJsonObject, stringAt } from '@/lib/json/json';
import { isKubeObject, type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { withLiveValues } from '@/lib/kudo/inventory/secret-data';
import { LAST_APPLIED_ANNOTATION, SKIP_HASH_ANNOTATION } from '@/lib/kudo/names';
import { asGoType } from './as-go-type';
import { canonicalYaml } from './canonical-yaml';

/** A ConfigMap or Secret that pods of an object use, in the object's namespace. */
export interface Dependency {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly namespace: string;
  readonly name: string;
}

/**
 * The ConfigMaps and Secrets that the pod templates of an object name: pull secrets and volumes, sorted
 * by kind and name, duplicates kept. Environment references and projected volumes do not count, as in KUDO: counting them
 * would change the hash, and so restart the pods, of everything that KUDO deployed.
 */
export function dependenciesOf(object: KubeObject): Dependency[] {
  const namespace = namespaceOf(object);
  const found: Dependency[] = [];
  for (const template of podTemplatesOf(object)) {
    const add = (kind: Dependency['kind'], name: string | undefined) => {
      if (name !== undefined && name !== '') found.push({ kind, namespace, name });
    };
    for (const secret of arrayAt(template, 'spec', 'imagePullSecrets')) add('Secret', stringAt(secret, 'name'));
    for (const volume of arrayAt(template, 'spec', 'volumes')) {
      add('ConfigMap', stringAt(volume, 'configMap', 'name'));
      add('Secret', stringAt(volume, 'secret', 'secretName'));
    }
  }
  return found.sort((a, b) => order(a.kind, b.kind) || order(a.namespace, b.namespace) || order(a.name, b.name));
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function podTemplatesOf(object: KubeObject): JsonObject[] {
  return [objectAt(object, 'spec', 'template'), objectAt(object, 'spec', 'jobTemplate', 'spec', 'template')];
}

/** What a dependency is: an object of the same task, a live one, or nothing. */
export type DependencySource =
  | { readonly from: 'task'; readonly object: KubeObject }
  | { readonly from: 'live'; readonly object: KubeObject }
  | undefined;

/**
 * The value of `kudo.dev/dependencies-hash`: 32 hex digits over the dependencies in the order of {@link dependenciesOf}.
 * Missing ones and those with the skip annotation count as sixteen zero bytes.
 */
export function dependencyHash(sources: readonly DependencySource[]): string {
  const all = new Uint8Array(sources.length * 16);
  for (const [index, source] of sources.entries()) {
    const hash = hashOfSource(source);
    if (hash !== undefined) all.set(hash, index * 16);
  }
  return toHex(md5(all));
}

function hashOfSource(source: DependencySource): Uint8Array | undefined {
  if (source === undefined) return undefined;
  if (Object.hasOwn(source.object.metadata.annotations ?? {}, SKIP_HASH_ANNOTATION)) return undefined;
  return md5(new TextEncoder().encode(canonicalText(contentOf(source))));
}

/** A live object counts with what was applied last, so that fields of others do not restart pods. */
function contentOf(source: Exclude<DependencySource, undefined>): JsonObject {
  const plain = source.object as unknown as JsonObject;
  const text = source.from === 'live' ? source.object.metadata.annotations?.[LAST_APPLIED_ANNOTATION] : undefined;
  const record = text === undefined ? undefined : parseJsonObject(text);
  const applied = isKubeObject(record) ? (withLiveValues(record, source.object) as unknown as JsonObject) : record;
  return asGoType(source.object.kind, applied ?? plain);
}

const DROPPED = [
  'namespace',
  'resourceVersion',
  'clusterName',
  'continue',
  'creationTimestamp',
  'generateName',
  'generation',
  'selfLink',
  'uid',
];

/** The text that is hashed: the object without what the server and KUDO itself write. */
export function canonicalText(object: JsonObject): string {
  const metadata: JsonObject = { ...objectAt(object, 'metadata') };
  for (const key of DROPPED) delete metadata[key];
  Object.assign(metadata, {
    annotations: {},
    finalizers: [],
    managedFields: [],
    ownerReferences: [],
    deletionGracePeriodSeconds: 0,
    remainingItemCount: 0,
  });
  return canonicalYaml({ object: { ...object, apiVersion: '', kind: '', metadata } });
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Finds a dependency among the objects of the same task. */
export function findInTask(objects: readonly KubeObject[], dependency: Dependency): KubeObject | undefined {
  return objects.find(
    (object) =>
      object.apiVersion === 'v1' &&
      object.kind === dependency.kind &&
      nameOf(object) === dependency.name &&
      namespaceOf(object) === dependency.namespace,
  );
}
