import { CLUSTER_HEADER } from '@/lib/clusters/cluster-path';

/** On every answer, pages and routes alike. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
};

/** On every answer of a route besides {@link securityHeaders}: never stored, never run as a document. */
export const routeHeaders: Readonly<Record<string, string>> = {
  ...securityHeaders,
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
};

/**
 * The content security policy of a page. Scripts and style sheets need this answer's nonce or come from this origin.
 * Style attributes are allowed (`style-src-attr`): virtual lists and progress bars are placed by them, and they can
 * neither run code nor, with `img-src` and `connect-src` as they are, send anything elsewhere.
 *
 * @param nonce unguessable, new for each answer, of the base64 alphabet
 * @param development React's development build explains errors by `eval`, and its reload socket is a WebSocket
 */
export function pagePolicy(nonce: string, development: boolean): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ''}`,
    // Next's development overlay writes its styles inline.
    development ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${development ? ' ws:' : ''}`,
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ].join('; ');
}

/** Names the session that the gate found (server/auth/gate), from our own server to our routes and pages. */
export const SESSION_HEADER = 'x-bravo-session';
/** As whom the person sees the console (server/auth/view-as). */
export const VIEW_AS_HEADER = 'x-bravo-view-as';

/** The address that a request comes from, as our own server found it (server/auth/client-address). */
export const CLIENT_HEADER = 'x-bravo-client';

/**
 * Request headers by which Next steers itself; from outside they must never count (CVE-2025-29927 skipped the
 * middleware by one of them). The server drops them before Next sees the request.
 */
export const internalRequestHeaders: readonly string[] = [
  'x-middleware-subrequest',
  'x-middleware-rewrite',
  'x-middleware-next',
  'x-middleware-override-headers',
  'x-middleware-prefetch',
  'x-invoke-path',
  'x-invoke-query',
  'x-invoke-output',
  'x-nonce',
  SESSION_HEADER,
  VIEW_AS_HEADER,
  CLUSTER_HEADER,
  CLIENT_HEADER,
  'content-security-policy',
];
