import { cloneJson, type JsonValue } from '@/lib/json/json';
import type { GroupVersionResource, KubeObject } from '@/lib/kube/object';
import type { ObjectEvent, ObjectKey, ObjectScope, SandboxApi } from '../api';
import { noSuchResource } from '../errors/status';
import { internalContext } from '../registry/context';
import { inVersion } from '../registry/convert';
import { createObject } from '../registry/create';
import { checkKind, decodeObject } from '../registry/decode-object';
import { deleteObject } from '../registry/delete';
import { patchObject } from '../registry/patch';
import { findStored, type ObjectPlace, type Registry } from '../registry/registry';
import type { ResourceInfo } from '../registry/resource-info';
import { replaceObject } from '../registry/update';
import type { StoreEvent } from '../store/history';

/** The verbs of the API for the parts inside the sandbox. */
export function makeSandboxApi(registry: Registry): SandboxApi {
  const { store, table } = registry;
  const infoOf = ({ group, version, resource }: GroupVersionResource): ResourceInfo => {
    const info = table.get(group, version, resource);
    if (info === undefined) throw noSuchResource();
    return info;
  };
  const placeOf = (key: ObjectKey): ObjectPlace => {
    const info = infoOf(key);
    return { info, namespace: info.namespaced ? key.namespace : undefined, name: key.name };
  };
  const decode = (info: ResourceInfo, object: KubeObject): KubeObject => {
    const copy = cloneJson(object);
    checkKind(info, copy);
    return decodeObject(info, copy, internalContext());
  };
  const toEvent = (event: StoreEvent): ObjectEvent | undefined => {
    const info = table.inStorage(event.resource).find((each) => isShown(each, event));
    if (info === undefined) return undefined;
    const { group, version, resource } = info;
    return { type: event.type, object: inVersion(info, event.stored).object, resource: { group, version, resource } };
  };

  return {
    get(key) {
      const place = placeOf(key);
      const stored = findStored(registry, place);
      return stored === undefined ? undefined : inVersion(place.info, stored).object;
    },
    list(scope) {
      const info = table.get(scope.group, scope.version, scope.resource);
      if (info === undefined) return [];
      const entries = [...store.collection(info.storage).entries(scope.namespace)];
      return entries.map(([, stored]) => inVersion(info, stored).object);
    },
    create(scope, object) {
      const info = infoOf(scope);
      const namespace = info.namespaced ? (scope.namespace ?? object.metadata.namespace) : undefined;
      return createObject(registry, info, namespace, decode(info, object), internalContext()).object;
    },
    update(key, object, options) {
      const place = placeOf(key);
      const context = internalContext(options?.subresource);
      return replaceObject(registry, place, decode(place.info, object), context).stored.object;
    },
    patch(key: ObjectKey, patch: JsonValue, options) {
      return patchObject(registry, placeOf(key), 'merge', cloneJson(patch), internalContext(options?.subresource))
        .object;
    },
    delete(key, options) {
      const { propagation, gracePeriodSeconds, uid } = options ?? {};
      const request = { propagationPolicy: propagation, gracePeriodSeconds, uid };
      deleteObject(registry, placeOf(key), request, internalContext());
    },
    watch: (scope: ObjectScope, listener) => watch(registry, scope, listener),
    watchAll: (listener) =>
      store.subscribeAll((event) => {
        const translated = toEvent(event);
        if (translated !== undefined) listener(translated);
      }),
    resources: () =>
      table
        .all()
        .map(({ group, version, resource, kind, namespaced }) => ({ group, version, resource, kind, namespaced })),
  };
}

/** Of several versions the one that the object is stored in; the first for what is stored in none of them. */
function isShown(info: ResourceInfo, event: StoreEvent): boolean {
  const { apiVersion } = event.stored.object;
  const own = info.group === '' ? info.version : `${info.group}/${info.version}`;
  return own === apiVersion || info.custom !== undefined;
}

function watch(registry: Registry, scope: ObjectScope, listener: (event: ObjectEvent) => void): () => void {
  const { store, table } = registry;
  const { group, version, resource } = scope;
  const info = table.get(group, version, resource);
  if (info === undefined) throw noSuchResource();
  const prefix = scope.namespace === undefined ? '' : `${scope.namespace}/`;
  const seen = store.revision;
  for (const [, stored] of [...store.collection(info.storage).entries(scope.namespace)]) {
    listener({ type: 'ADDED', object: inVersion(info, stored).object, resource: { group, version, resource } });
  }
  return store.subscribe(info.storage, (event) => {
    if (event.revision <= seen || !event.key.startsWith(prefix)) return;
    listener({
      type: event.type,
      object: inVersion(info, event.stored).object,
      resource: { group, version, resource },
    });
  });
}
