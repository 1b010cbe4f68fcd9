import type { OidcSettings } from '@/server/config/auth';
import { Refusal } from '@/server/http/problem';
import type { Person } from './claims';
import type { IdClaims } from './oidc';

/** Names that Kubernetes gives a meaning of its own: nobody outside the cluster may claim them. */
const RESERVED = /^system:/;

/**
 * The user and groups of an ID token, as kube-apiserver reads them (`--oidc-username-claim` and the rest). An email counts only when it
 * is verified.
 *
 * @throws Refusal 403 when there is no name, or a reserved one
 */
export function claimedPerson(claims: IdClaims, settings: OidcSettings): Person {
  const { usernameClaim, usernamePrefix, groupsClaim, groupsPrefix } = settings;
  const name = claims[usernameClaim];
  if (typeof name !== 'string' || name === '') {
    throw new Refusal(
      403,
      'NoUserName',
      `The ID token has no claim ${usernameClaim}. Check BRAVO_OIDC_USERNAME_CLAIM and BRAVO_OIDC_SCOPES.`,
    );
  }
  if (usernameClaim === 'email' && claims.email_verified === false) {
    throw new Refusal(403, 'EmailNotVerified', 'The email address of this account is not verified at the provider.');
  }
  const groups = claims[groupsClaim];
  const list = Array.isArray(groups) ? groups : groups === undefined ? [] : [groups];
  return trustedPerson(
    `${usernamePrefix}${name}`,
    list.filter((group) => typeof group === 'string').map((group) => `${groupsPrefix}${group}`),
  );
}

/**
 * A person whom the console's account will impersonate: without the groups of Kubernetes itself, which would be more than a provider
 * or a proxy may give.
 *
 * @throws Refusal 403 for a name of Kubernetes itself
 */
export function trustedPerson(name: string, groups: readonly string[]): Person {
  if (name === '' || RESERVED.test(name)) {
    throw new Refusal(403, 'ReservedName', `"${name.slice(0, 100)}" is not a name that a person may sign in with.`);
  }
  return { name, groups: [...new Set(groups)].filter((group) => group !== '' && !RESERVED.test(group)) };
}
