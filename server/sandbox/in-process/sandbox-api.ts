import { cloneJson } from '@/lib/json/json';
import { formatApiVersion, type GroupVersionResource, type KubeObject } from '@/lib/kube/object';
import type { ObjectEvent, ObjectKey, SandboxApi } from '../api';
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

  const api: SandboxApi = {
    get(key) {
      const place = placeOf(key);
      const stored = findStored(registry, place);
      return stored === undefined ? undefined : inVersion(place.info, stored).object;
    },
    list(scope) {
      const info = table.get(scope.group, scope.version, scope.resource);
      if (info === undefined) return [];
      return Array.from(
        store.collection(info.storage).entries(scope.namespace),
        ([, stored]) => inVersion(info, stored).object,
      );
    },
    create(scope, object) {
      const info = infoOf(scope);
      const namespace = info.namespaced ? (scope.namespace ?? object.metadata.namespace) : undefined;
      return createObject(registry, { info, namespace }, decode(info, object), internalContext()).object;
    },
    update(key, object, options) {
      const place = placeOf(key);
      const context = internalContext(options?.subresource);
      return replaceObject(registry, place, decode(place.info, object), context).stored.object;
    },
    patch(key, patch) {
      return patchObject(registry, placeOf(key), { kind: 'merge', value: cloneJson(patch) }, internalContext()).object;
    },
    delete(key, options) {
      const { propagation, gracePeriodSeconds, uid } = options ?? {};
      const request = { propagationPolicy: propagation, gracePeriodSeconds, uid };
      deleteObject(registry, placeOf(key), request, internalContext());
    },
    watch(scope, listener) {
      const { group, version, resource, namespace } = scope;
      const seen = store.revision;
      for (const object of api.list(scope)) listener({ type: 'ADDED', object, resource: { group, version, resource } });
      return api.watchAll((event) => {
        const { metadata } = event.object;
        const isOfScope = event.resource.group === group && event.resource.resource === resource;
        if (!isOfScope || (namespace !== undefined && metadata.namespace !== namespace)) return;
        if (Number(metadata.resourceVersion) > seen) listener(event);
      });
    },
    watchAll: (listener) =>
      store.subscribeAll((event) => {
        const translated = toEvent(registry, event);
        if (translated !== undefined) listener(translated);
      }),
    resources: () =>
      table
        .all()
        .map(({ group, version, resource, kind, namespaced }) => ({ group, version, resource, kind, namespaced })),
  };
  return api;
}

/** A change in the version that the object is stored in; in the first version for a custom resource. */
function toEvent({ table }: Registry, event: StoreEvent): ObjectEvent | undefined {
  const { apiVersion } = event.stored.object;
  const info = table
    .inStorage(event.resource)
    .find((each) => each.custom !== undefined || formatApiVersion(each.group, each.version) === apiVersion);
  if (info === undefined) return undefined;
  const { group, version, resource } = info;
  return { type: event.type, object: inVersion(info, event.stored).object, resource: { group, version, resource } };
}
