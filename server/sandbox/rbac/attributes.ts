import { failure, forbidden, type StatusError } from '../errors/status';
import type { RequestInfo } from './request-info';
import type { UserInfo } from './user';

/** What a request asks for, as rules see it (apiserver authorizer.Attributes). */
export interface Attributes {
  readonly verb: string;
  /** Undefined for a path that is no resource. */
  readonly resource: ResourceAttributes | undefined;
  readonly path: string;
}

export interface ResourceAttributes {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  /** Empty for all. */
  readonly namespace: string;
  readonly name: string;
}

export function attributesOf(info: RequestInfo): Attributes {
  const { path, verb, resource } = info;
  if (resource === undefined) return { verb, path, resource: undefined };
  return {
    verb,
    path,
    resource: {
      group: resource.group,
      resource: resource.resource,
      subresource: resource.subresource?.split('/')[0] ?? '',
      namespace: resource.namespace ?? '',
      name: resource.name ?? info.selectedName ?? '',
    },
  };
}

/** The 403 of a request, in the words of the API server. `reason` says more when an authorizer had something to say. */
export function accessDenied(user: UserInfo, attributes: Attributes, reason = ''): StatusError {
  const tail = reason === '' ? '' : `: ${reason}`;
  const who = `User ${JSON.stringify(user.name)}`;
  if (attributes.resource === undefined) {
    const message = `forbidden: ${who} cannot ${attributes.verb} path ${JSON.stringify(attributes.path)}${tail}`;
    return failure(403, 'Forbidden', message, {});
  }
  const { group, resource, subresource, namespace, name } = attributes.resource;
  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  const text = `${who} cannot ${attributes.verb} resource ${JSON.stringify(what)} in API group ${JSON.stringify(group)} ${where}${tail}`;
  return forbidden({ group, resource }, name, text);
}
