import { signInOf } from '@/server/auth/session';
import { anonymousRoute, redirectTo } from '@/server/http/route';

/** Where the provider sends the browser back to, with a code or an error in the query. */
export const GET = anonymousRoute(
  async ({ request }) => {
    const cookies = request.headers.get('cookie') ?? undefined;
    const { to, setCookie } = await signInOf().finishProvider(new URL(request.url).search, cookies);
    return redirectTo(to, setCookie);
  },
  { isLinkedFromElsewhere: true },
);
