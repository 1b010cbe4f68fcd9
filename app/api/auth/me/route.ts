import { signInOf } from '@/server/auth/session';
import { anonymousRoute, json, withCookies } from '@/server/http/route';

/** Who is signed in: `{user}`, null when nobody is. Does not count as a use of the session, and renews what is about to expire. */
export const GET = anonymousRoute(async ({ request }) => {
  const { name, setCookie } = await signInOf().whoIsThere(request.headers);
  return withCookies(json({ user: name ?? null }), setCookie);
});
