import type { Registry } from '../registry/registry';
import type { Secrets } from '../tls/secrets';
import { authenticate, staticTokens } from './authenticate';
import type { Authority } from './authority';
import type { UserInfo } from './user';

/** The authority of a sandbox: tokens of the file and its own. */
export function makeAuthority(_registry: Registry, users: ReadonlyMap<string, UserInfo>, _secrets: Secrets): Authority {
  const readers = [staticTokens(users)];
  return {
    identify: (request) => authenticate(request, readers),
    authorize: () => {},
  };
}
