import { returnPath } from '@/lib/net/return-path';
import { signInOf } from '@/server/auth/session';
import { anonymousRoute, redirectTo } from '@/server/http/route';

/** `?to=/path`: leads to the provider's page. */
export const GET = anonymousRoute(async ({ query }) => {
  const begun = await signInOf().provider.begin(returnPath(query.get('to')));
  return begun === undefined ? redirectTo('/sign-in?problem=provider', []) : redirectTo(begun.url, begun.setCookie);
});
