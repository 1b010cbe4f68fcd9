import { builtinResources } from '@/lib/kube/builtin/builtin';
import type { GroupVersionKind } from '@/lib/kube/object';
import type { KindStrategy } from '../kinds/base/strategy';
import { groupResourceName, type ResourceInfo } from './resource-info';

/** Resources of two groups that are one thing in the store. */
const SHARED_STORAGE = new Map([['events.events.k8s.io', 'events']]);

/** Every resource that is served now: the built-in ones, and those of CustomResourceDefinitions as they come and go. */
export class ResourceTable {
  private readonly byPath = new Map<string, ResourceInfo>();
  private readonly byStorage = new Map<string, readonly ResourceInfo[]>();
  private changes = 0;
  private readonly listeners = new Set<() => void>();

  constructor(strategyOf: (gvk: GroupVersionKind) => KindStrategy) {
    for (const builtin of builtinResources) {
      const { group, version, resource, kind, singular, namespaced, verbs, shortNames, categories } = builtin;
      const name = groupResourceName(group, resource);
      this.put({
        group,
        version,
        resource,
        kind,
        listKind: `${kind}List`,
        singular,
        namespaced,
        verbs,
        shortNames,
        categories,
        subresources: builtin.subresourceTypes,
        storage: SHARED_STORAGE.get(name) ?? name,
        strategy: strategyOf({ group, version, kind }),
        custom: undefined,
      });
    }
  }

  /** Grows with every change; discovery is made anew when it differs. */
  get generation(): number {
    return this.changes;
  }

  get(group: string, version: string, resource: string): ResourceInfo | undefined {
    return this.byPath.get(pathOf(group, version, resource));
  }

  hasBuiltin(group: string, version: string): boolean {
    return this.all().some((info) => info.group === group && info.version === version && info.custom === undefined);
  }

  all(): readonly ResourceInfo[] {
    return [...this.byPath.values()];
  }

  /** The resources that keep their objects under one name in the store: the versions of one, or the two of events. */
  inStorage(storage: string): readonly ResourceInfo[] {
    let found = this.byStorage.get(storage);
    if (found === undefined) {
      found = this.all().filter((info) => info.storage === storage);
      this.byStorage.set(storage, found);
    }
    return found;
  }

  /** The first served version of a resource of a group. */
  find(group: string, resource: string): ResourceInfo | undefined {
    return this.all().find((info) => info.group === group && info.resource === resource);
  }

  findKind(gvk: GroupVersionKind): ResourceInfo | undefined {
    return this.all().find(
      (info) => info.group === gvk.group && info.version === gvk.version && info.kind === gvk.kind,
    );
  }

  private put(info: ResourceInfo): void {
    this.byPath.set(pathOf(info.group, info.version, info.resource), info);
  }

  /** Puts the served versions of a custom resource in the place of those before; none takes it away. */
  replaceCustom(crdName: string, infos: readonly ResourceInfo[]): void {
    for (const [path, info] of this.byPath) {
      if (info.custom?.crdName === crdName) this.byPath.delete(path);
    }
    for (const info of infos) this.put(info);
    this.changed();
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private changed(): void {
    this.changes++;
    this.byStorage.clear();
    for (const listener of [...this.listeners]) listener();
  }
}

function pathOf(group: string, version: string, resource: string): string {
  return `${group}/${version}/${resource}`;
}
