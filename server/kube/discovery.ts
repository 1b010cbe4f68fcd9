import { messageOf } from '@/lib/errors/errors';
import { arrayAt, type JsonValue, stringAt } from '@/lib/json/json';
import { formatApiVersion, type ResourceType } from '@/lib/kube/object';
import { limits } from '@/lib/limits/limits';
import type { ApiDiscovery } from './api';
import type { Caller } from './caller';

const AGGREGATED =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,' +
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json';

interface GroupVersion {
  group: string;
  version: string;
}

/**
 * All resources that the API serves: by aggregated discovery (two requests) where the server supports it, else one request per
 * group version. A group version that cannot be read is in `failed`.
 */
export async function discover(caller: Caller): Promise<ApiDiscovery> {
  const read = (path: string, accept = AGGREGATED) =>
    caller.json({ method: 'GET', path, headers: { accept } }, limits.readDeadlineMs);
  const [core, groups] = await Promise.all([read('/api'), read('/apis')]);
  const resources: ResourceType[] = [];
  const failed: string[] = [];
  const legacy: GroupVersion[] = [];
  for (const root of [core, groups]) {
    if (stringAt(root, 'kind') === 'APIGroupDiscoveryList') readAggregated(root, resources, failed);
    else legacy.push(...legacyVersions(root));
  }
  await Promise.all(
    legacy.map(async ({ group, version }) => {
      const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
      try {
        readLegacy(await read(path, 'application/json'), { group, version }, resources);
      } catch (error) {
        failed.push(`${formatApiVersion(group, version)}: ${messageOf(error)}`);
      }
    }),
  );
  return { resources, failed };
}

function readAggregated(root: JsonValue, resources: ResourceType[], failed: string[]): void {
  for (const item of arrayAt(root, 'items')) {
    const group = stringAt(item, 'metadata', 'name') ?? '';
    for (const entry of arrayAt(item, 'versions')) {
      const version = stringAt(entry, 'version') ?? '';
      if (stringAt(entry, 'freshness') === 'Stale') failed.push(`${formatApiVersion(group, version)}: stale`);
      for (const resource of arrayAt(entry, 'resources')) {
        resources.push({
          group: stringAt(resource, 'responseKind', 'group') || group,
          version: stringAt(resource, 'responseKind', 'version') || version,
          resource: stringAt(resource, 'resource') ?? '',
          kind: stringAt(resource, 'responseKind', 'kind') ?? '',
          singular: stringAt(resource, 'singularResource') ?? '',
          namespaced: stringAt(resource, 'scope') === 'Namespaced',
          verbs: texts(resource, 'verbs'),
          shortNames: texts(resource, 'shortNames'),
          categories: texts(resource, 'categories'),
          subresources: arrayAt(resource, 'subresources').map((sub) => stringAt(sub, 'subresource') ?? ''),
        });
      }
    }
  }
}

function legacyVersions(root: JsonValue): GroupVersion[] {
  const core = arrayAt(root, 'versions').filter((version) => typeof version === 'string');
  const grouped = arrayAt(root, 'groups').flatMap((group) =>
    arrayAt(group, 'versions').map((entry) => ({
      group: stringAt(group, 'name') ?? '',
      version: stringAt(entry, 'version') ?? '',
    })),
  );
  return [...core.map((version) => ({ group: '', version })), ...grouped];
}

function readLegacy(list: JsonValue, from: GroupVersion, resources: ResourceType[]): void {
  const entries = arrayAt(list, 'resources');
  const subresources = new Map<string, string[]>();
  for (const entry of entries) {
    const [name = '', ...rest] = (stringAt(entry, 'name') ?? '').split('/');
    if (rest.length > 0) subresources.set(name, [...(subresources.get(name) ?? []), rest.join('/')]);
  }
  for (const entry of entries) {
    const name = stringAt(entry, 'name') ?? '';
    if (name === '' || name.includes('/')) continue;
    resources.push({
      ...from,
      resource: name,
      kind: stringAt(entry, 'kind') ?? '',
      singular: stringAt(entry, 'singularName') ?? '',
      namespaced: (entry as { namespaced?: JsonValue }).namespaced === true,
      verbs: texts(entry, 'verbs'),
      shortNames: texts(entry, 'shortNames'),
      categories: texts(entry, 'categories'),
      subresources: subresources.get(name) ?? [],
    });
  }
}

function texts(value: JsonValue, key: string): string[] {
  return arrayAt(value, key).filter((item) => typeof item === 'string');
}
