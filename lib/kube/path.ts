import { TerminalError } from '@/lib/errors/errors';
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
 *
 * @throws TerminalError for a name or namespace that would lead to another path: an empty name is the whole collection, and a DELETE
 *   of that deletes everything in it
 */
export function formatResourcePath(path: ResourcePath): string {
  const parts = path.group === '' ? ['api', path.version] : ['apis', path.group, path.version];
  if (path.namespace !== undefined && path.namespace !== '')
    parts.push('namespaces', segment('namespace', path.namespace));
  parts.push(path.resource);
  if (path.name !== undefined) parts.push(segment('resource name', path.name));
  if (path.subresource !== undefined) parts.push(...path.subresource.split('/'));
  return `/${parts.map(escaped).join('/')}`;
}

/** The words are client-go's (rest.Request Name; apimachinery IsValidPathSegmentName). */
function segment(what: string, text: string): string {
  if (text === '') throw new TerminalError(`${what} may not be empty`, 'InvalidName');
  if (text === '.' || text === '..')
    throw new TerminalError(`invalid ${what} "${text}": may not be '${text}'`, 'InvalidName');
  return text;
}

/** Nearly every part is a plain name, and encodeURIComponent is slow about those too. */
function escaped(part: string): string {
  return PLAIN.test(part) ? part : encodeURIComponent(part);
}

const PLAIN = /^[\w.-]*$/;
