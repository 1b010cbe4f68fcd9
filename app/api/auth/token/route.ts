import { getAt } from '@/lib/json/json';
import { returnPath } from '@/lib/net/return-path';
import { signInOf } from '@/server/auth/session';
import { auditSignIn } from '@/server/http/audit-sign-in';
import { anonymousRoute, json, withCookies } from '@/server/http/route';

/** `{token, to}`: signs in with a token. The answer says where to go, and nothing of the token. */
export const POST = anonymousRoute(async (context) => {
  const { body, request } = context;
  const token = getAt(body, 'token');
  const to = getAt(body, 'to');
  const cookies = request.headers.get('cookie') ?? undefined;
  const { setCookie } = await auditSignIn(context, 'token', async () => {
    const { claims, ...begun } = await signInOf().withToken(typeof token === 'string' ? token : '', cookies);
    return { ...begun, person: claims.person };
  });
  return withCookies(json({ to: returnPath(typeof to === 'string' ? to : undefined) }), setCookie);
});
