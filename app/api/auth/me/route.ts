import { signInOf } from '@/server/auth/session';
import { SESSION_HEADER } from '@/server/http/headers';
import { anonymousRoute, json, withCookies } from '@/server/http/route';

/** Who is signed in: `{user}`, null when nobody is. Does not count as a use of the session, and renews what is about to expire. */
export const GET = anonymousRoute(async ({ request }) => {
  // Behind a proxy there is no cookie, and the gate has found the person.
  const signIn = signInOf();
  const found = signIn.find(request.headers.get(SESSION_HEADER));
  if (found !== undefined) return json({ user: found.user.name });
  const read = await signIn.read(request.headers.get('cookie') ?? undefined);
  return withCookies(json({ user: read?.session.user.name ?? null }), read?.setCookie ?? []);
});
