import type { GroupVersionResource } from '@/lib/kube/object';
import { formatResourcePath, type ResourcePath } from '@/lib/kube/path';

/** The address of a kind's list; the core group is written `core`, as in topics. */
export function kindHref({ group, version, resource }: GroupVersionResource): string {
  return `/resources/${[group === '' ? 'core' : group, version, resource].map(encodeURIComponent).join('/')}`;
}

/** The address of an object's page, or of one of its tabs. Cluster-scoped objects have `_` for their namespace. */
export function objectHref(type: GroupVersionResource, namespace: string, name: string, tab = ''): string {
  const base = `${kindHref(type)}/${encodeURIComponent(namespace || '_')}/${encodeURIComponent(name)}`;
  return tab === '' ? base : `${base}/${tab}`;
}

/** The address of the form that creates a resource of a kind that an operator brings. */
export function newHref(type: GroupVersionResource, namespace: string | undefined): string {
  return `${kindHref(type)}/new${namespace === undefined ? '' : `?${new URLSearchParams({ namespace })}`}`;
}

/** The address of the page that creates an object of a kind. */
export function createHref(type: GroupVersionResource, namespace: string | undefined): string {
  const query = new URLSearchParams({ group: type.group, version: type.version, plural: type.resource });
  if (namespace !== undefined) query.set('namespace', namespace);
  return `/resources/create?${query}`;
}

/** The address of the page with the fields of a kind. */
export function explainHref(type: GroupVersionResource): string {
  return `${kindHref(type)}/explain`;
}

/** The same path at the console's proxy to the Kubernetes API. */
export function kubePath(path: ResourcePath): string {
  return `/api/kube${formatResourcePath(path)}`;
}

/** The parts of the address of `/resources/[group]/[version]/[plural]`, decoded. */
export interface KindParams {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

/** The type that an address names. */
export function typeOfParams({ group, version, plural }: KindParams): GroupVersionResource {
  const decoded = decodePart(group);
  return { group: decoded === 'core' ? '' : decoded, version: decodePart(version), resource: decodePart(plural) };
}

/** Next gives the parts of a page's address without decoding them. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The parts of the address of an object's page. */
export interface ObjectParams extends KindParams {
  readonly namespace: string;
  readonly name: string;
}

/** The object that an address names; `_` means no namespace. */
export function addressOfParams(params: ObjectParams): { type: GroupVersionResource; namespace: string; name: string } {
  const namespace = decodePart(params.namespace);
  return { type: typeOfParams(params), namespace: namespace === '_' ? '' : namespace, name: decodePart(params.name) };
}
