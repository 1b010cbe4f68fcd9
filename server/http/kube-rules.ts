import type { KubePath } from './kube-path';
import { isSafeMethod } from './origin';
import { Refusal } from './problem';

/**
 * Subresources that pass the proxy, by name; every other one is denied. Denied on purpose: `pods/exec`, `attach`,
 * `portforward` (they have their own guarded route), `pods/proxy`, `services/proxy`, `nodes/proxy` (they reach into the
 * cluster's network), `serviceaccounts/token` (makes credentials), `finalize` (skips finalizers), `binding`,
 * `ephemeralcontainers`, and what aggregated APIs may invent.
 */
const ALLOWED_SUBRESOURCES: ReadonlyMap<string, 'read' | 'write'> = new Map([
  ['status', 'write'],
  ['scale', 'write'],
  ['log', 'read'],
  ['eviction', 'write'],
]);

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Refuses what the proxy allows nobody. The rights of the person are checked by the Kubernetes API.
 *
 * @throws Refusal 403 or 405
 */
export function checkKubeRequest(method: string, path: KubePath): void {
  if (!METHODS.has(method)) throw new Refusal(405, 'MethodNotAllowed', `The console's proxy does not allow ${method}.`);
  if (path.kind === 'document') {
    if (!isSafeMethod(method)) throw new Refusal(405, 'MethodNotAllowed', 'API documents can only be read.');
    return;
  }
  if (path.subresource === undefined) return;
  const allowed = ALLOWED_SUBRESOURCES.get(path.subresource);
  if (allowed === undefined || (allowed === 'read' && !isSafeMethod(method))) {
    const what = `${path.resource}/${path.subresource}`;
    throw new Refusal(403, 'Forbidden', `The console's proxy does not allow ${method} of ${what}. Use kubectl.`);
  }
}

/** Query parameters of the Kubernetes API that pass; the rest is refused by name, never ignored silently. */
const ALLOWED_QUERY = new Set([
  'allowWatchBookmarks',
  'container',
  'continue',
  'dryRun',
  'fieldManager',
  'fieldSelector',
  'fieldValidation',
  'follow',
  'force',
  'gracePeriodSeconds',
  'hash',
  'includeObject',
  'labelSelector',
  'limit',
  'limitBytes',
  'orphanDependents',
  'pretty',
  'previous',
  'propagationPolicy',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'sinceSeconds',
  'sinceTime',
  'stream',
  'tailLines',
  'timeout',
  'timeoutSeconds',
  'timestamps',
  'watch',
]);

const MAX_QUERY_CHARS = 8 * 1024;

/** The query written anew, with its `?`, or the empty string. @throws Refusal 400 */
export function rebuildQuery(query: URLSearchParams): string {
  const rebuilt = new URLSearchParams();
  for (const [name, value] of query) {
    if (!ALLOWED_QUERY.has(name)) {
      throw new Refusal(
        400,
        'BadRequest',
        `The query parameter ${JSON.stringify(name.slice(0, 64))} is not allowed by the console's proxy.`,
      );
    }
    rebuilt.append(name, value);
  }
  const text = rebuilt.toString();
  if (text.length > MAX_QUERY_CHARS) throw new Refusal(414, 'BadRequest', 'The query is too long.');
  return text === '' ? '' : `?${text}`;
}

/** Request headers that pass, besides our own User-Agent: six in all. Everything else stays here, credentials included. */
const PASSED_REQUEST_HEADERS = ['accept', 'content-type', 'if-match', 'if-none-match', 'traceparent'] as const;

/** The headers of the request to the Kubernetes API, made anew; nothing is copied by default. */
export function outgoingHeaders(headers: Headers): Record<string, string> {
  const outgoing: Record<string, string> = { 'user-agent': 'bravo-console' };
  const dropped = connectionTokens(headers);
  for (const name of PASSED_REQUEST_HEADERS) {
    const value = headers.get(name);
    if (value !== null && !dropped.has(name) && isPlainHeader(value)) outgoing[name] = value;
  }
  return outgoing;
}

const PASSED_RESPONSE_HEADERS = [
  'audit-id',
  'content-type',
  'etag',
  'last-modified',
  'retry-after',
  'warning',
] as const;

/** The headers that the browser gets to see of the API's answer. */
export function incomingHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const incoming: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (PASSED_RESPONSE_HEADERS.some((passed) => passed === lower)) incoming[lower] = value;
  }
  const type = incoming['content-type'];
  // Nothing that a browser would render as a page, whatever an aggregated API or a proxied server answers.
  if (type !== undefined && !RENDERLESS_TYPE.test(type)) incoming['content-type'] = 'application/octet-stream';
  return incoming;
}

const RENDERLESS_TYPE =
  /^(application\/(json|yaml|problem\+json|vnd\.kubernetes\.protobuf|com\.github\.[a-z0-9.-]+)|text\/plain)\b/i;
const MAX_HEADER_CHARS = 1024;

function isPlainHeader(value: string): boolean {
  return value.length <= MAX_HEADER_CHARS && /^[\x20-\x7e]*$/.test(value);
}

/** Headers that the sender declared to be for the next hop only (RFC 9110, Connection). */
function connectionTokens(headers: Headers): ReadonlySet<string> {
  return new Set((headers.get('connection') ?? '').split(',').map((token) => token.trim().toLowerCase()));
}
