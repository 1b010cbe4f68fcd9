import type { IncomingMessage } from 'node:http';
import { badRequest } from '../errors/status';
import { type Attributes, accessDenied, type ResourceAttributes } from '../rbac/attributes';
import type { Rbac } from '../rbac/rbac';
import { authenticated, type UserInfo } from '../rbac/user';

const AUTHENTICATION = 'authentication.k8s.io';
const EXTRA = 'impersonate-extra-';

/** The user that the Impersonate headers name, if the asking user may be them: 403 if not, 400 without a name. */
export function impersonate(request: IncomingMessage, user: UserInfo, rbac: Rbac): UserInfo {
  if (!Object.keys(request.headers).some((header) => header.startsWith('impersonate-'))) return user;
  const name = textOf(request.headers['impersonate-user']);
  const uid = textOf(request.headers['impersonate-uid']);
  const groups = valuesOf(request, 'impersonate-group');
  const extra = extraOf(request);
  if (name === '') {
    if (groups.length === 0 && uid === '' && Object.keys(extra).length === 0) return user;
    throw badRequest(`requested ${goUser(uid, groups)} without impersonating a user name`);
  }
  for (const wanted of requests(name, uid, groups, extra)) {
    const attributes: Attributes = { verb: 'impersonate', path: '', resource: wanted };
    const decision = rbac.decide(user, attributes);
    if (!decision.allowed) throw accessDenied(user, attributes, decision.reason);
  }
  const account = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(name);
  const implied =
    account === null || groups.length > 0 ? [] : ['system:serviceaccounts', `system:serviceaccounts:${account[1]}`];
  const result: UserInfo = { name, uid, groups: [...groups, ...implied], extra };
  if (name === 'system:anonymous') {
    return result.groups.includes('system:unauthenticated')
      ? result
      : { ...result, groups: [...result.groups, 'system:unauthenticated'] };
  }
  return result.groups.includes('system:unauthenticated') ? result : authenticated(result);
}

function requests(
  name: string,
  uid: string,
  groups: readonly string[],
  extra: UserInfo['extra'],
): ResourceAttributes[] {
  const account = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(name);
  const core = { group: '', subresource: '', namespace: '' };
  const wanted: ResourceAttributes[] = [
    account === null
      ? { ...core, resource: 'users', name }
      : { ...core, resource: 'serviceaccounts', namespace: account[1] ?? '', name: account[2] ?? '' },
    ...groups.map((group) => ({ ...core, resource: 'groups', name: group })),
  ];
  for (const [key, values] of Object.entries(extra)) {
    for (const value of values) {
      wanted.push({ group: AUTHENTICATION, resource: 'userextras', subresource: key, namespace: '', name: value });
    }
  }
  if (uid !== '') wanted.push({ ...core, group: AUTHENTICATION, resource: 'uids', name: uid });
  return wanted;
}

function textOf(header: string | string[] | undefined): string {
  return (Array.isArray(header) ? header[0] : header) ?? '';
}

/** Each value of a header that may come several times. */
function valuesOf(request: IncomingMessage, name: string): string[] {
  return request.headersDistinct[name] ?? [];
}

function extraOf(request: IncomingMessage): UserInfo['extra'] {
  const extra: { [key: string]: readonly string[] } = {};
  for (const [name, values] of Object.entries(request.headersDistinct)) {
    if (name.startsWith(EXTRA) && values !== undefined) extra[decodeURIComponent(name.slice(EXTRA.length))] = values;
  }
  return extra;
}

/** The user as Go prints it, which the API server puts into this message. */
function goUser(uid: string, groups: readonly string[]): string {
  const list =
    groups.length === 0 ? '[]string(nil)' : `[]string{${groups.map((each) => JSON.stringify(each)).join(', ')}}`;
  return `&user.DefaultInfo{Name:"", UID:${JSON.stringify(uid)}, Groups:${list}, Extra:map[string][]string(nil)}`;
}
