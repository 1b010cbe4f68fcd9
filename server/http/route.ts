import type { JsonValue } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import { VIEWED_HEADER } from '@/lib/live/viewed-header';
import { randomUuid } from '@/lib/random/random';
import type { RequestSession } from '@/server/auth/person-of-request';
import { sessionOf } from '@/server/auth/session';
import { refusalOfView } from '@/server/auth/view-mark';
import { clusterInRecords } from '@/server/clusters/cluster-runtime';
import { type ResourceReader, resourceReader } from '@/server/resources/reader';
import { runtime } from '@/server/runtime/runtime';
import { auditRequest, type WriteAudit } from './audit-request';
import { parseRequestJson, readRequestBody } from './body';
import { routeHeaders } from './headers';
import { allowedHosts, isAllowedHost } from './host';
import { isSafeMethod, originRefusal } from './origin';
import { problemOf, problemResponse, Refusal, retryHeaders } from './problem';

/** What a handler gets to work with. Everything in it has passed the checks of {@link route}. */
export interface RouteContext<P = Record<string, never>> {
  readonly request: Request;
  readonly method: string;
  /** The person, with the API in their own authority. */
  readonly session: RequestSession;
  /** Lists of every kind, in the same authority. */
  readonly resources: ResourceReader;
  /** The dynamic parts of the path, decoded once. */
  readonly params: P;
  readonly query: URLSearchParams;
  /** The parsed JSON body; undefined when there is none, or the route takes bytes. */
  readonly body: JsonValue | undefined;
  /** The body as it came; empty when there is none. */
  readonly bytes: Uint8Array;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  /** Names this request in the log and in `X-Request-Id`. */
  readonly id: string;
}

export interface RouteOptions {
  /** Content types of bodies that the route takes; `application/json` alone when absent. */
  readonly contentTypes?: readonly string[];
  /** True for a route that may be called by who sees the console as somebody else: it changes nothing in the cluster. */
  readonly whileViewing?: boolean;
  /** The largest body in bytes; lib/limits' requestBodyBytes when absent. */
  readonly maxBodyBytes?: number;
}

export type RouteHandler<P> = (context: RouteContext<P>) => Promise<Response> | Response;

const JSON_TYPES: readonly string[] = ['application/json'];

/**
 * The one way to make a handler of `app/api`. In this order it checks the Host, where the request comes from, the
 * content type and the size, finds the session, calls the handler, and turns errors of the four kinds into problem JSON.
 * Anything else that is thrown is a bug: logged with its stack, answered with its id alone.
 */
export function route<P = Record<string, never>>(handler: RouteHandler<P>, options: RouteOptions = {}) {
  return async (request: Request, next: { params: Promise<P> }): Promise<Response> => {
    const id = randomUuid(runtime().random);
    // A request that is refused before its person is known has changed nothing.
    let audit: WriteAudit | undefined;
    try {
      const context = await admit(request, next, options, id);
      audit = auditRequest(context, context.session);
      refuseWhileViewing(context, options);
      const response = await handler(context);
      audit(response);
      if (!isSafeMethod(request.method)) logChange(context, response.status);
      return withRouteHeaders(response, id);
    } catch (error) {
      const response = failure(error, request, id);
      audit?.({ status: response.status, reason: problemOf(error)?.reason });
      return response;
    }
  };
}

/** What a handler gets that serves people who have not signed in. */
export type AnonymousContext = Omit<RouteContext, 'session' | 'resources' | 'params'>;

export interface AnonymousOptions extends RouteOptions {
  /** True for an address that another site leads to, as an OIDC provider does; only for reading, and only as a page. */
  readonly isLinkedFromElsewhere?: boolean;
}

/** As {@link route}, without a session: for the way in. Which routes may use it is held by a test (e2e/structure). */
export function anonymousRoute(
  handler: (context: AnonymousContext) => Promise<Response> | Response,
  options: AnonymousOptions = {},
) {
  return async (request: Request): Promise<Response> => {
    const id = randomUuid(runtime().random);
    try {
      return withRouteHeaders(await handler(await admitAnyone(request, options, id)), id);
    } catch (error) {
      return failure(error, request, id);
    }
  };
}

/** A JSON answer. */
export function json(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), { status, headers: { 'Content-Type': 'application/json' } });
}

/** Leads the browser to another page by GET. */
export function redirectTo(location: string, setCookie: readonly string[]): Response {
  return withCookies(new Response(null, { status: 303, headers: { Location: placeOf(location) } }), setCookie);
}

/** A path of the console is below its base path; a URL is another server's. */
function placeOf(location: string): string {
  return location.startsWith('/') ? `${runtime().config.basePath}${location}` : location;
}

/** An answer with Set-Cookie headers. */
export function withCookies(response: Response, setCookie: readonly string[]): Response {
  for (const cookie of setCookie) response.headers.append('Set-Cookie', cookie);
  return response;
}

async function admit<P>(
  request: Request,
  next: { params: Promise<P> },
  options: RouteOptions,
  id: string,
): Promise<RouteContext<P>> {
  const anyone = await admitAnyone(request, options, id);
  const session = await sessionOf(request);
  runtime().streamMetrics.sessionSeen(session.identity);
  const resources = resourceReader(session.api, runtime().clock);
  return { ...anyone, session, resources, params: await next.params };
}

/**
 * While somebody sees the console as somebody else, nothing is changed, and nothing of one view comes onto a page of another.
 *
 * @throws Refusal 403 for a change in a view, 409 for a page of a view that has ended, 503 while nobody knows whether the view is allowed
 */
function refuseWhileViewing({ request, session, method }: RouteContext<unknown>, { whileViewing }: RouteOptions): void {
  if (whileViewing === true) return;
  const { viewer, refusedView, user, cluster } = session;
  if (refusedView?.why === 'unknown') throw refusalOfView(refusedView, clusterInRecords(cluster));
  const shown = request.headers.get(VIEWED_HEADER);
  if (shown !== null && (viewer === undefined || shown !== encodeURIComponent(user.name))) {
    const message = 'This page shows the console as another user, and that view has ended. Reload the page.';
    throw new Refusal(409, 'ViewAsEnded', message);
  }
  if (isSafeMethod(method) || (viewer === undefined && refusedView === undefined)) return;
  const name = refusedView?.person.name ?? user.name;
  throw new Refusal(
    403,
    'ViewAs',
    `You see the console as ${name}, and change nothing. Stop viewing as ${name} first.`,
  );
}

async function admitAnyone(request: Request, options: AnonymousOptions, id: string): Promise<AnonymousContext> {
  checkSource(request, options.isLinkedFromElsewhere === true);
  const bytes = isSafeMethod(request.method) ? new Uint8Array() : await readTypedBody(request, options);
  const isJson = mediaTypeOf(request) === 'application/json';
  return {
    request,
    method: request.method,
    query: new URL(request.url).searchParams,
    body: isJson ? parseRequestJson(bytes) : undefined,
    bytes,
    signal: request.signal,
    id,
  };
}

/** Host, Origin and Sec-Fetch-Site. @throws Refusal 421 or 403 */
function checkSource(request: Request, isLinkedFromElsewhere: boolean): void {
  const host = request.headers.get('host');
  if (!isAllowedHost(host, allowedHosts(runtime().config))) {
    throw new Refusal(421, 'MisdirectedRequest', 'The console does not answer under this host name.');
  }
  const isLink = isSafeMethod(request.method) && request.headers.get('sec-fetch-mode') === 'navigate';
  if (isLinkedFromElsewhere && isLink) return;
  const refusal = originRefusal({
    method: request.method,
    host,
    origin: request.headers.get('origin'),
    fetchSite: request.headers.get('sec-fetch-site'),
  });
  if (refusal !== undefined) throw new Refusal(403, 'Forbidden', refusal);
}

/**
 * The body, when its type is one that the route takes. None of these types can be sent by another site's form. A DELETE
 * may come without a body, and then without a type.
 */
async function readTypedBody(request: Request, options: RouteOptions): Promise<Uint8Array> {
  const accepted = options.contentTypes ?? JSON_TYPES;
  const type = mediaTypeOf(request);
  const mayBeEmpty = request.method === 'DELETE' && type === undefined;
  if (!mayBeEmpty && (type === undefined || !accepted.includes(type))) {
    throw new Refusal(415, 'UnsupportedMediaType', `Send the body as ${accepted.join(' or ')}.`);
  }
  const bytes = await readRequestBody(request, options.maxBodyBytes ?? limits.requestBodyBytes);
  if (mayBeEmpty && bytes.length > 0) {
    throw new Refusal(415, 'UnsupportedMediaType', `Send the body as ${accepted.join(' or ')}.`);
  }
  return bytes;
}

function mediaTypeOf(request: Request): string | undefined {
  return request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
}

function withRouteHeaders(response: Response, id: string): Response {
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(routeHeaders)) headers.set(name, value);
  // A stream must reach the browser piece by piece: Next compresses nothing that says so.
  if (response.headers.get('Cache-Control')?.includes('no-transform') === true) {
    headers.set('Cache-Control', 'no-store, no-transform');
  }
  headers.set('X-Request-Id', id);
  return new Response(response.body, { status: response.status, headers });
}

function failure(error: unknown, request: Request, id: string): Response {
  const problem = problemOf(error);
  const extra = { 'X-Request-Id': id, ...retryHeaders(error) };
  if (problem !== undefined) return problemResponse(problem, extra);
  // 499: the client has gone away and reads no answer.
  if (request.signal.aborted) return new Response(null, { status: 499, headers: routeHeaders });
  const stack = error instanceof Error ? error.stack : String(error);
  runtime().log.error('http.bug', { id, method: request.method, path: new URL(request.url).pathname, stack });
  const message = `The console failed. The log has the details under ${id}.`;
  return problemResponse({ status: 500, reason: 'InternalError', message, causes: [] }, extra);
}

function logChange(context: RouteContext<unknown>, status: number): void {
  const { pathname } = new URL(context.request.url);
  runtime().log.info('http.change', {
    id: context.id,
    method: context.method,
    path: pathname,
    status,
    user: context.session.user.name,
  });
}
