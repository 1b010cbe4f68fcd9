import type { RequestSession } from '@/server/auth/person-of-request';
import { runtime } from '@/server/runtime/runtime';
import type { KnownCluster } from './cluster-runtime';

/**
 * Why a list over all clusters must not ask this one for the person; undefined when it may. A cluster that somebody added with a Secret
 * gets a person's token only after that person has opened it: reading the list must not send tokens to a server of somebody's choice.
 *
 * @param person who sent the request, not the one as whom they see the console: the token is theirs
 */
export function whyUnopened(
  { source }: KnownCluster,
  { cluster, identity }: Pick<RequestSession, 'cluster' | 'identity'>,
): string | undefined {
  if (source !== 'secret' || runtime().signIn?.sendsTokens !== true || cluster.openedBy.has(identity)) return undefined;
  return 'This cluster was added here, and gets your token when you open it. It has not been asked yet.';
}
