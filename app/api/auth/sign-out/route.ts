import { getAt } from '@/lib/json/json';
import { signInOf } from '@/server/auth/session';
import { anonymousRoute, json, withCookies } from '@/server/http/route';

/** `{everywhere?: true}`: ends this session, or every session of the person. The answer says where to go. */
export const POST = anonymousRoute(async ({ body, request }) => {
  const where = getAt(body, 'everywhere') === true ? 'everywhere' : 'here';
  const { to, setCookie } = await signInOf().signOut(request.headers.get('cookie') ?? undefined, where);
  return withCookies(json({ to }), setCookie);
});
