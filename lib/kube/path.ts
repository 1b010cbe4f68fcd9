import type { GroupVersionResource } from './object';

/** Where a request goes: a resource, maybe one namespace, one name, one subresource. */
export interface ResourcePath extends GroupVersionResource {
  namespace?: string | undefined;
  name?: string | undefined;
  subresource?: string | undefined;
}

/**
 * The path of a Kubernetes API request, every part percent-encoded:
 * `/api/v1/namespaces/demo/pods/a/log`, `/apis/apps/v1/deployments`.
 */
export function formatResourcePath(path: ResourcePath): string {
  const parts = path.group === '' ? ['api', path.version] : ['apis', path.group, path.version];
  if (path.namespace !== undefined && path.namespace !== '') parts.push('namespaces', path.namespace);
  parts.push(path.resource);
  if (path.name !== undefined) parts.push(path.name);
  if (path.subresource !== undefined) parts.push(...path.subresource.split('/'));
  return `/${parts.map(escaped).join('/')}`;
}

/** Nearly every part is a plain name, and encodeURIComponent is slow about those too. */
function escaped(part: string): string {
  return PLAIN.test(part) ? part : encodeURIComponent(part);
}

const PLAIN = /^[\w.-]*$/;
