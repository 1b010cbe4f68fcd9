import type { IncomingMessage } from 'node:http';
import { badRequest } from '../errors/status';
import { type Attributes, accessDenied, type ResourceAttributes } from '../rbac/attributes';
import type { Rbac } from '../rbac/rbac';
import { authenticated, type UserInfo } from '../rbac/user';

const AUTHENTICATION = { group: 'authentication.k8s.io', namespace: '' };
const UNAUTHENTICATED = 'system:unauthenticated';
const SERVICE_ACCOUNT = /^system:serviceaccount:(?<namespace>[^:]+):(?<name>[^:]+)$/;
const EXTRA = 'impersonate-extra-';

/** The user that the Impersonate headers name, if the asking user may be them: 403 if not, 400 without a name. */
export function impersonate(request: IncomingMessage, user: UserInfo, rbac: Rbac): UserInfo {
  if (!Object.keys(request.headers).some((header) => header.startsWith('impersonate-'))) return user;
  const name = utf8(request.headersDistinct['impersonate-user']?.[0] ?? '');
  const uid = request.headersDistinct['impersonate-uid']?.[0] ?? '';
  const groups = (request.headersDistinct['impersonate-group'] ?? []).map(utf8);
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
  const account = SERVICE_ACCOUNT.exec(name)?.groups;
  const implied =
    account === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`];
  const result = { name, uid, groups: groups.length > 0 ? groups : implied, extra };
  if (result.groups.includes(UNAUTHENTICATED)) return result;
  return name === 'system:anonymous'
    ? { ...result, groups: [...result.groups, UNAUTHENTICATED] }
    : authenticated(result);
}

/** Node has the bytes of a header as latin1; Go reads them as they are, and Kubernetes' names are UTF-8. */
function utf8(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8');
}

function requests(
  name: string,
  uid: string,
  groups: readonly string[],
  extra: UserInfo['extra'],
): ResourceAttributes[] {
  const account = SERVICE_ACCOUNT.exec(name)?.groups;
  const core = { group: '', subresource: '', namespace: '' };
  const who = account === undefined ? { resource: 'users', name } : { resource: 'serviceaccounts', ...account };
  return [
    { ...core, ...who, name: account?.name ?? name },
    ...groups.map((group) => ({ ...core, resource: 'groups', name: group })),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map((value) => ({ ...AUTHENTICATION, resource: 'userextras', subresource: key, name: value })),
    ),
    ...(uid === '' ? [] : [{ ...AUTHENTICATION, resource: 'uids', subresource: '', name: uid }]),
  ];
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
