import { signInOf } from '@/server/auth/session';
import { SESSION_HEADER } from '@/server/http/headers';
import { anonymousRoute, json, withCookies } from '@/server/http/route';
import { runtime } from '@/server/runtime/runtime';

/** Who is signed in: `{user}`, null when nobody is. Does not count as a use of the session, and renews what is about to expire. */
export const GET = anonymousRoute(async ({ request }) => {
  // Behind a proxy there is no cookie, and the gate has found the person.
  const signIn = signInOf();
  const found = signIn.find(request.headers.get(SESSION_HEADER), runtime().clusters.home.persons);
  if (found !== undefined) return json({ user: found.user.name });
  const read = await signIn.read(request.headers.get('cookie') ?? undefined);
  return withCookies(json({ user: read?.person.name ?? null }), read?.setCookie ?? []);
});
