import { cloneJson, jsonEqual, stringAt } from '@/lib/json/json';
import { hasCondition } from '@/lib/kube/conditions';
import type { KubeObject } from '@/lib/kube/object';
import { internalContext } from '../registry/context';
import { CRD_FINALIZER, CRD_STORAGE, statusForCrd, takenNames } from '../registry/crd-names';
import { deleteObject } from '../registry/delete';
import type { Registry } from '../registry/registry';
import type { ResourceInfo } from '../registry/resource-info';
import type { StoreEvent } from '../store/history';
import { type CustomStrategyMaker, resourcesOf } from './crd-resources';

/**
 * Keeps the served resources in step with the CustomResourceDefinitions: accepts names, establishes, serves, and on
 * deletion removes the objects before the definition goes. The result ends it.
 */
export function serveDefinitions(registry: Registry, strategyOf: CustomStrategyMaker): () => void {
  const { store, table } = registry;
  const servedBy = new Map<string, string>();
  const watches = new Map<string, () => void>();

  const sync = (name: string): void => {
    const crd = store.get(CRD_STORAGE, name)?.object;
    if (crd === undefined) {
      withdraw(name);
      return;
    }
    settle(registry, crd);
    const now = store.get(CRD_STORAGE, name)?.object ?? crd;
    serve(name, now);
    if (now.metadata.deletionTimestamp !== undefined) cleanUp(registry, now);
  };

  const serve = (name: string, crd: KubeObject): void => {
    // Only what shapes the resources counts, so that a change of labels does not make them anew.
    const shape = JSON.stringify([crd.spec, crd.status, crd.metadata.uid]);
    if (servedBy.get(name) === shape) return;
    const fresh = !servedBy.has(name);
    const infos = resourcesOf(crd, strategyOf);
    table.replaceCustom(name, infos);
    servedBy.set(name, shape);
    const [first] = infos;
    if (first === undefined) return;
    if (fresh) store.compact(first.storage);
    if (!watches.has(name))
      watches.set(
        name,
        store.subscribe(first.storage, () => onObjectChange(name)),
      );
  };

  const withdraw = (name: string): void => {
    watches.get(name)?.();
    watches.delete(name);
    servedBy.delete(name);
    table.replaceCustom(name, []);
    for (const [other] of store.collection(CRD_STORAGE).entries()) sync(other);
  };

  /** The last object of a definition that is being deleted may have been removed. */
  const onObjectChange = (name: string): void => {
    const crd = store.get(CRD_STORAGE, name)?.object;
    if (crd?.metadata.deletionTimestamp !== undefined) cleanUp(registry, crd);
  };

  const onEvent = (event: StoreEvent): void => sync(event.key);
  for (const [name] of [...store.collection(CRD_STORAGE).entries()]) sync(name);
  const unsubscribe = store.subscribe(CRD_STORAGE, onEvent);
  return () => {
    unsubscribe();
    for (const end of watches.values()) end();
  };
}

/** Brings the status of a definition up to date. */
function settle(registry: Registry, crd: KubeObject): void {
  const { store } = registry;
  const all = [...store.collection(CRD_STORAGE).entries()].map(([, stored]) => stored.object);
  const status = statusForCrd(crd, takenNames(all, crd), registry.clock.now());
  if (jsonEqual(status, crd.status)) return;
  store.put(CRD_STORAGE, crd.metadata.name ?? '', { ...cloneJson(crd), status });
}

/** Deletes the objects of a definition; when none is left, the finalizer goes and the definition with it. */
function cleanUp(registry: Registry, crd: KubeObject): void {
  if (crd.metadata.finalizers?.includes(CRD_FINALIZER) !== true || !hasCondition(crd, 'Terminating')) return;
  const { store, table } = registry;
  const info = table.all().find((each) => each.custom?.crdName === crd.metadata.name);
  const storage = info?.storage ?? `${stringAt(crd, 'spec', 'names', 'plural')}.${stringAt(crd, 'spec', 'group')}`;
  if (info !== undefined) deleteAll(registry, info);
  if (store.collection(storage).size > 0) return;
  const name = crd.metadata.name ?? '';
  const finalizers = crd.metadata.finalizers.filter((each) => each !== CRD_FINALIZER);
  if (finalizers.length === 0) {
    store.remove(CRD_STORAGE, name);
    return;
  }
  const copy = cloneJson(crd);
  copy.metadata.finalizers = finalizers;
  store.put(CRD_STORAGE, name, copy);
}

function deleteAll(registry: Registry, info: ResourceInfo): void {
  for (const [, { object }] of [...registry.store.collection(info.storage).entries()]) {
    if (object.metadata.deletionTimestamp !== undefined) continue;
    const place = { info, namespace: object.metadata.namespace, name: object.metadata.name ?? '' };
    deleteObject(registry, place, {}, internalContext());
  }
}
