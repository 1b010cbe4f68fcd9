import { signInOf } from '@/server/auth/session';
import { auditSignIn } from '@/server/http/audit-sign-in';
import { anonymousRoute, redirectTo } from '@/server/http/route';

/** Where the provider sends the browser back to, with a code or an error in the query. */
export const GET = anonymousRoute(
  async (context) => {
    const { request } = context;
    const cookies = request.headers.get('cookie') ?? undefined;
    const { to, setCookie } = await auditSignIn(context, 'oidc', () =>
      signInOf().finishProvider(new URL(request.url).search, cookies),
    );
    return redirectTo(to, setCookie);
  },
  { isLinkedFromElsewhere: true },
);
