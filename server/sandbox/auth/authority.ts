import type { IncomingMessage } from 'node:http';
import { accessDenied, attributesOf } from '../rbac/attributes';
import { Rbac } from '../rbac/rbac';
import type { RequestInfo } from '../rbac/request-info';
import { authenticated, type UserInfo } from '../rbac/user';
import type { Registry } from '../registry/registry';
import { authenticate, type BearerTokenReader, staticTokens } from './authenticate';
import { impersonate } from './impersonate';
import type { OidcAuthenticator } from './oidc-authenticator';
import { API_AUDIENCE, ServiceAccountTokens, type VerifiedToken } from './service-account-tokens';

/** Who asks, and may they: authentication, impersonation and authorization of the sandbox. */
export interface AccessControl {
  readonly rbac: Rbac;
  readonly tokens: ServiceAccountTokens;
  /** Verifies an OIDC token of a request; undefined when there is nothing to wait for. Before `identify`. */
  prepare(request: IncomingMessage): Promise<void> | undefined;
  /** The user of a request after impersonation; 401 for a bad token, 403 where impersonation is not allowed. */
  identify(request: IncomingMessage): UserInfo;
  /** 403 unless the user may do what the request asks. */
  authorize(user: UserInfo, info: RequestInfo): void;
  /** Whom a token belongs to, for TokenReview. */
  review(token: string, audiences: readonly string[]): VerifiedToken | undefined;
}

/** The authority of a sandbox: tokens of the file, its own, and those of ServiceAccounts; RBAC. */
export function makeAccessControl(
  registry: Registry,
  users: ReadonlyMap<string, UserInfo>,
  serviceAccountKeyPem: string,
  oidc: OidcAuthenticator | undefined,
): AccessControl {
  const rbac = new Rbac(registry.store);
  const tokens = new ServiceAccountTokens(registry, serviceAccountKeyPem);
  const known = staticTokens(users);
  const readers: BearerTokenReader[] = [
    known,
    (token) => tokens.read(token, [API_AUDIENCE])?.user,
    ...(oidc === undefined ? [] : [(token: string) => oidc.read(token)]),
  ];
  return {
    rbac,
    tokens,
    prepare: (request) => oidc?.prepare(request.headers.authorization),
    identify: (request) => impersonate(request, authenticate(request, readers), rbac),
    authorize(user, info) {
      const attributes = attributesOf(info);
      const decision = rbac.decide(user, attributes);
      if (!decision.allowed) throw accessDenied(user, attributes, decision.reason);
    },
    review(token, audiences) {
      const user = known(token);
      if (user !== undefined)
        return audiences.includes(API_AUDIENCE) ? { user: authenticated(user), audiences: [API_AUDIENCE] } : undefined;
      const verified = tokens.read(token, audiences);
      return verified === undefined ? undefined : { ...verified, user: authenticated(verified.user) };
    },
  };
}
