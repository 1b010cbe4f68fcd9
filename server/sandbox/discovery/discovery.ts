import { createHash } from 'node:crypto';
import { compareApiVersions } from '@/lib/kube/kinds';
import type { ResourceInfo } from '../registry/resource-info';
import type { ResourceTable } from '../registry/resource-table';
import { cachedByGeneration } from './cached-by-generation';
import type { RemoteVersion, RemoteVersions } from './remote-versions';

/** The documents under /api and /apis (meta/v1 and apidiscovery.k8s.io/v2), made anew when the resources change. */
export interface Discovery {
  /** `/api` */
  versions(): string;
  /** `/apis` */
  groups(): string;
  /** `/apis/GROUP`, undefined when there is none. */
  group(group: string): string | undefined;
  /** `/api/v1`, `/apis/GROUP/VERSION`, undefined when there is none. */
  resources(group: string, version: string): string | undefined;
  /** The aggregated document of `/api` (core) or `/apis`, with its ETag. */
  aggregated(root: 'api' | 'apis'): { readonly json: string; readonly etag: string };
}

interface GroupVersions {
  readonly name: string;
  readonly versions: string[];
}

/** @param remote what API servers behind Services answer for; a version of theirs replaces the same one of our own */
export function discoveryOf(table: ResourceTable, remote: RemoteVersions): Discovery {
  const cached = cachedByGeneration({
    get generation() {
      return table.generation + remote.generation;
    },
  });
  return {
    versions: () =>
      JSON.stringify({
        kind: 'APIVersions',
        versions: ['v1'],
        serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '127.0.0.1' }],
      }),
    groups: () => cached('groups', () => JSON.stringify(groupList(table, remote.all()))) ?? '',
    group: (name) => cached(`group ${name}`, () => groupDocument(table, remote.all(), name)),
    resources: (group, version) => cached(`resources ${group}/${version}`, () => resourceList(table, group, version)),
    aggregated(root) {
      const json = cached(`aggregated ${root}`, () => JSON.stringify(aggregatedList(table, remote.all(), root))) ?? '';
      return { json, etag: `"${createHash('sha512').update(json).digest('hex').toUpperCase()}"` };
    },
  };
}

function groupsOf(table: ResourceTable, remote: readonly RemoteVersion[]): GroupVersions[] {
  const versionsByGroup = new Map<string, Set<string>>();
  for (const { group, version } of [...table.all(), ...remote]) {
    const versions = versionsByGroup.get(group) ?? new Set<string>();
    versionsByGroup.set(group, versions.add(version));
  }
  return [...versionsByGroup].map(([name, versions]) => ({ name, versions: [...versions].sort(compareApiVersions) }));
}

function groupEntry({ name, versions }: GroupVersions): object {
  const entries = versions.map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: entries, preferredVersion: entries[0] };
}

function groupList(table: ResourceTable, remote: readonly RemoteVersion[]): object {
  const groups = groupsOf(table, remote).filter(({ name }) => name !== '');
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(groupEntry) };
}

function groupDocument(table: ResourceTable, remote: readonly RemoteVersion[], name: string): string | undefined {
  const found = groupsOf(table, remote).find((group) => group.name === name);
  if (found === undefined || name === '') return undefined;
  return JSON.stringify({ kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(found) });
}

function resourceList(table: ResourceTable, group: string, version: string): string | undefined {
  const infos = table.all().filter((info) => info.group === group && info.version === version);
  if (infos.length === 0) return undefined;
  const head = group === '' ? { kind: 'APIResourceList' } : { kind: 'APIResourceList', apiVersion: 'v1' };
  const groupVersion = group === '' ? version : `${group}/${version}`;
  return JSON.stringify({ ...head, groupVersion, resources: infos.flatMap(resourceEntries) });
}

function resourceEntries(info: ResourceInfo): object[] {
  const main = {
    name: info.resource,
    singularName: info.singular,
    namespaced: info.namespaced,
    kind: info.kind,
    verbs: info.verbs,
    ...(info.shortNames.length > 0 ? { shortNames: info.shortNames } : {}),
    ...(info.categories.length > 0 ? { categories: info.categories } : {}),
    ...(info.verbs.includes('list') ? { storageVersionHash: storageHash(info) } : {}),
  };
  const subs = info.subresources.map((sub) => ({
    name: `${info.resource}/${sub.name}`,
    singularName: '',
    namespaced: info.namespaced,
    ...(sub.group === '' ? {} : { group: sub.group }),
    ...(sub.version === '' ? {} : { version: sub.version }),
    kind: sub.kind,
    verbs: sub.verbs,
  }));
  return [main, ...subs];
}

function storageHash(info: ResourceInfo): string {
  const version = info.custom?.storageVersion ?? info.version;
  const digest = createHash('sha256').update(`${info.group}/${version}/${info.kind}`).digest();
  return digest.subarray(0, 8).toString('base64');
}

function aggregatedList(table: ResourceTable, remote: readonly RemoteVersion[], root: 'api' | 'apis'): object {
  const groups = groupsOf(table, remote).filter(({ name }) => (name === '') === (root === 'api'));
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map(({ name, versions }) => ({
      metadata: name === '' ? {} : { name },
      versions: versions.map((version) => {
        const away = remote.find((each) => each.group === name && each.version === version);
        return { version, ...(away === undefined ? ownVersion(table, name, version) : remoteEntry(away)) };
      }),
    })),
  };
}

function ownVersion(table: ResourceTable, group: string, version: string): object {
  const infos = table.all().filter((info) => info.group === group && info.version === version);
  return { resources: infos.map(aggregatedResource), freshness: 'Current' };
}

/** A server that never answered has no resources, not an empty list of them. */
function remoteEntry({ resources, freshness }: RemoteVersion): object {
  return { ...(resources.length > 0 ? { resources } : {}), freshness };
}

function aggregatedResource(info: ResourceInfo): object {
  // Built-in resources leave group and version of their own kind empty, custom ones repeat them.
  const own = info.custom === undefined ? { group: '', version: '' } : { group: info.group, version: info.version };
  return {
    resource: info.resource,
    responseKind: { ...own, kind: info.kind },
    scope: info.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: info.singular,
    verbs: info.verbs,
    ...(info.shortNames.length > 0 ? { shortNames: info.shortNames } : {}),
    ...(info.categories.length > 0 ? { categories: info.categories } : {}),
    ...(info.subresources.length === 0
      ? {}
      : {
          subresources: info.subresources.map((sub) => ({
            subresource: sub.name,
            responseKind: {
              group: sub.group === '' ? own.group : sub.group,
              version: sub.version === '' ? own.version : sub.version,
              kind: sub.kind,
            },
            verbs: sub.verbs,
          })),
        }),
  };
}
