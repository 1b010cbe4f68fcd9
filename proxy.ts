import { type NextRequest, NextResponse } from 'next/server';
import { CLUSTER_HEADER, splitClusterPath } from '@/lib/clusters/cluster-path';
import { systemRandom } from '@/lib/random/random';
import { pagePolicy, securityHeaders } from '@/server/http/headers';

/**
 * Next's proxy: a nonce and the security headers for every page, and the page's cluster, which its path names (`/c/NAME/…`). It decides nothing about who may do what: the server
 * checks the Host before Next, and each route checks the rest (server/http/route).
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = btoa(String.fromCharCode(...systemRandom.bytes(18)));
  const policy = pagePolicy(nonce, process.env.NODE_ENV === 'development');
  const headers = new Headers(request.headers);
  headers.set('x-nonce', nonce);
  // Next reads the nonce for its own scripts from this header of the request.
  headers.set('Content-Security-Policy', policy);
  const response = pageResponse(request, headers);
  for (const [name, value] of Object.entries(securityHeaders)) response.headers.set(name, value);
  response.headers.set('Content-Security-Policy', policy);
  response.headers.set('Cache-Control', 'no-store');
  return response;
}

/** The page itself, at its path without the cluster. The path alone says which cluster it is. */
function pageResponse(request: NextRequest, headers: Headers): NextResponse {
  const { cluster, path } = splitClusterPath(request.nextUrl.pathname);
  headers.delete(CLUSTER_HEADER);
  // The server takes the cluster off routes before Next: what arrives here with one is no page.
  if (cluster === undefined || path.startsWith('/api/')) return NextResponse.next({ request: { headers } });
  headers.set(CLUSTER_HEADER, cluster);
  const target = request.nextUrl.clone();
  target.pathname = path;
  return NextResponse.rewrite(target, { request: { headers } });
}

/** Everything but routes, which set stricter headers themselves, and built assets. */
export const config = { matcher: ['/((?!api/|_next/static/|_next/image|icon.svg|favicon.ico|fonts/).*)'] };
