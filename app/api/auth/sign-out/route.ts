import { getAt } from '@/lib/json/json';
import { signInOf } from '@/server/auth/session';
import { auditSignOut } from '@/server/http/audit-sign-in';
import { anonymousRoute, json, withCookies } from '@/server/http/route';

/** `{everywhere?: true}`: ends this session, or every session of the person. The answer says where to go. */
export const POST = anonymousRoute(async (context) => {
  const { body, request } = context;
  const where = getAt(body, 'everywhere') === true ? 'everywhere' : 'here';
  const { to, setCookie } = await auditSignOut(context, where, () =>
    signInOf().signOut(request.headers.get('cookie') ?? undefined, where),
  );
  return withCookies(json({ to }), setCookie);
});
