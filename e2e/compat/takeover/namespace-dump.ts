import { isJsonObject, type JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { EXECUTION_UID_ANNOTATION, LAST_APPLIED_ANNOTATION } from '@/lib/kudo/names';
import { KindIndex } from '@/server/kube/kinds';
import type { VirtualEngine } from '@/test/engine/virtual-engine';
import { goldenText } from '@/test/golden/golden-files';

/** The objects of one namespace as KUDO left them in a cluster: a file of `test/golden/takeover.tar.gz`. */
export function readDump(name: string): KubeObject[] {
  return JSON.parse(goldenText('takeover', `${name}.json`));
}

/**
 * Creates the objects of a dump in a new namespace, owners first. Uids change, so owner references (also in annotations) are mapped; an
 * object that was being deleted is deleted again.
 */
export async function loadDump(
  engine: VirtualEngine,
  objects: readonly KubeObject[],
  namespace: string,
): Promise<void> {
  const { people } = engine;
  await engine.run(
    people.create(
      { group: '', version: 'v1', resource: 'namespaces' },
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    ),
  );
  const kinds = new KindIndex(people);
  const before = objects[0]?.metadata.namespace ?? '';
  const uids = new Map<string, string>();
  for (const original of ownersFirst(objects)) {
    let text = JSON.stringify(original)
      .replaceAll(`"${before}"`, `"${namespace}"`)
      .replaceAll(`\\"${before}\\"`, `\\"${namespace}\\"`);
    for (const [old, now] of uids) text = text.replaceAll(old, now);
    const object: KubeObject = JSON.parse(text);
    const wasDeleted = object.metadata.deletionTimestamp !== undefined;
    for (const key of ASSIGNED) delete object.metadata[key];
    const target = await engine.run(kinds.targetOf(object));
    if (target === undefined) throw new Error(`the cluster does not know ${object.kind}`);
    const created = await engine.run(people.create(target, object));
    uids.set(original.metadata.uid ?? '', created.metadata.uid ?? '');
    const hasStatus = object.status !== undefined && !['Operator', 'OperatorVersion'].includes(object.kind);
    const status = { status: object.status } as JsonObject;
    if (hasStatus) await engine.run(people.patch(target, 'merge', status, { subresource: 'status' }));
    if (wasDeleted) await engine.run(people.delete(target, { propagation: 'Background' }));
  }
}

const ASSIGNED = [
  'managedFields',
  'resourceVersion',
  'uid',
  'creationTimestamp',
  'generation',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const;

/** Operators and OperatorVersions, then Instances, then the objects with the fewest owners above them. */
function ownersFirst(objects: readonly KubeObject[]): KubeObject[] {
  const byUid = new Map(objects.map((object) => [object.metadata.uid, object]));
  const depth = (object: KubeObject): number => {
    if (object.kind === 'Operator' || object.kind === 'OperatorVersion') return 0;
    const owners = (object.metadata.ownerReferences ?? []).map(({ uid }) => byUid.get(uid));
    return 1 + Math.max(0, ...owners.map((owner) => (owner === undefined ? 0 : depth(owner))));
  };
  return [...objects].sort((a, b) => depth(a) - depth(b));
}

/** The part of an object to compare: no fields of the server, no times, the last-applied annotation as an object without zero values. */
export function comparable(object: KubeObject, namespace: string): JsonObject {
  const text = JSON.stringify({ ...object, status: undefined })
    .replaceAll(`"${namespace}"`, '"NAMESPACE"')
    .replaceAll(`\\"${namespace}\\"`, '\\"NAMESPACE\\"');
  const copy: KubeObject = JSON.parse(text);
  for (const key of ASSIGNED) delete copy.metadata[key];
  const annotations = { ...copy.metadata.annotations };
  const record = annotations[LAST_APPLIED_ANNOTATION];
  delete annotations[LAST_APPLIED_ANNOTATION];
  delete annotations[EXECUTION_UID_ANNOTATION];
  const owners = copy.metadata.ownerReferences?.map(({ uid: _, ...owner }) => owner);
  const applied: unknown = record === undefined ? {} : JSON.parse(record);
  return {
    ...copy,
    metadata: { ...copy.metadata, annotations, ...(owners === undefined ? {} : { ownerReferences: owners }) },
    record: isJsonObject(applied) ? withoutUids(withoutZeroes(applied)) : null,
  } as JsonObject;
}

function withoutUids(record: JsonObject): JsonObject {
  return JSON.parse(
    JSON.stringify(record, (key, value) => (key === 'uid' || key === EXECUTION_UID_ANNOTATION ? undefined : value)),
  );
}

/** Go writes members that no template contains (`creationTimestamp: null`, `status: {}`, `targetPort: 0`). */
function withoutZeroes(value: JsonObject): JsonObject {
  const isZero = (member: unknown) =>
    member === null || member === 0 || (isJsonObject(member) && Object.keys(member).length === 0);
  const clean = (member: unknown): unknown => {
    if (Array.isArray(member)) return member.map(clean);
    if (!isJsonObject(member)) return member;
    const entries = Object.entries(member).map(([key, inner]) => [key, clean(inner)] as const);
    return Object.fromEntries(entries.filter(([, inner]) => !isZero(inner)));
  };
  return clean(value) as JsonObject;
}
