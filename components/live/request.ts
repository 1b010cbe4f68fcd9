import { VIEWED_HEADER } from '@/lib/live/viewed-header';
import { serverPath } from './address';
import { reportSessionEnd } from './session-end';

/** One field that the server refuses, by the path of the field. */
export interface RequestCause {
  readonly field: string;
  readonly message: string;
}

/** An answer that is not 2xx, in the words of the server. `status` is 0 when there was no answer at all. */
export class RequestError extends Error {
  readonly status: number;
  readonly reason: string;
  readonly causes: readonly RequestCause[];

  constructor(status: number, reason: string, message: string, causes: readonly RequestCause[] = []) {
    super(message);
    this.name = 'RequestError';
    this.status = status;
    this.reason = reason;
    this.causes = causes;
  }
}

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON; a file as it is. */
  readonly body?: unknown;
  /** For JSON patches and the like; `application/json` otherwise. */
  readonly contentType?: string;
  readonly accept?: string;
  readonly signal?: AbortSignal;
}

/**
 * A request to the console's own server. Resolves to the JSON of the answer (undefined for an empty one).
 *
 * @throws RequestError
 */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const response = await send(path, options);
  const text = await response.text();
  const body = text === '' ? undefined : parse(text);
  if (response.ok) return body as T;
  if (response.status === 401) reportSessionEnd();
  throw toError(response.status, body);
}

async function send(path: string, options: RequestOptions): Promise<Response> {
  const { method = 'GET', body, contentType = 'application/json', accept = 'application/json', signal } = options;
  try {
    // The one place where the browser opens a request by itself.
    return await globalThis.fetch(serverPath(path), {
      method,
      headers: { accept, ...(body === undefined ? {} : { 'content-type': contentType }), ...viewedHeader() },
      credentials: 'same-origin',
      redirect: 'error',
      ...(body === undefined ? {} : { body: body instanceof Blob ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (cause) {
    if (signal?.aborted === true) throw cause;
    throw new RequestError(0, 'Unreachable', 'The console did not answer. Check that it is still running.');
  }
}

/** As whom the page shows the console: its banner says so. */
function viewedHeader(): Readonly<Record<string, string>> {
  const name = document.querySelector('[data-view-as]')?.getAttribute('data-view-as');
  return name === null || name === undefined ? {} : { [VIEWED_HEADER]: encodeURIComponent(name) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Our routes name the place `path`, Kubernetes names it `field`. */
interface WireCause {
  readonly field?: string;
  readonly path?: string;
  readonly message?: string;
}

function toError(status: number, body: unknown): RequestError {
  if (typeof body !== 'object' || body === null)
    return new RequestError(status, 'Unknown', `The server answered ${status}.`);
  const { reason, message, causes, details } = body as {
    reason?: string;
    message?: string;
    causes?: WireCause[];
    details?: { causes?: WireCause[] };
  };
  return new RequestError(
    status,
    reason ?? 'Unknown',
    message ?? `The server answered ${status}.`,
    (causes ?? details?.causes ?? []).map(({ field, path, message: why }) => ({
      field: field ?? path ?? '',
      message: why ?? '',
    })),
  );
}
