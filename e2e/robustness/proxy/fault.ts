/** A request of a client as the proxy has read it, in whole. */
export interface ProxiedRequest {
  /** Counts from 1 in the order of arrival. */
  readonly number: number;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
  readonly isWatch: boolean;
  /** True for a WebSocket: nothing but `pass`, `hold`, `reset` and `answer` is done to those. */
  readonly isSocket: boolean;
}

/** What a server says instead of the real one. */
export interface ProxyAnswer {
  readonly status: number;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string;
}

/**
 * What happens to one request.
 *
 * - `pass`: nothing; `done` is called when the answer's last byte was handed to the socket.
 *   `query` replaces parameters of the request, an empty text takes one away, as for a server that does not know it.
 * - `reset`: the connection breaks before the server hears of it.
 * - `hold`: the request is not answered until the client gives up or the proxy stops.
 * - `delay`: it reaches the server later, after a time or when a promise says so; the client need not be there any more.
 * - `answer`: the proxy answers by itself; the server hears nothing.
 * - `lose`: the server does what it was asked, `done` is called, and the connection breaks without an answer.
 * - `limit`: after so many bytes of the answer's body (text put in front of it included) the connection is broken,
 *   ended cleanly, or stays open without sending anything more.
 * - `lines`: after so many whole lines of the answer's body it ends cleanly.
 * - `rewrite`: the whole body of the answer is replaced (not for watches).
 * - `prepend`: text in front of the answer's body, such as an event of a watch.
 */
export type ProxyFault =
  | { readonly do: 'pass'; readonly done?: () => void; readonly query?: { readonly [name: string]: string } }
  | { readonly do: 'reset' }
  | { readonly do: 'hold' }
  | { readonly do: 'delay'; readonly until: number | Promise<void> }
  | ({ readonly do: 'answer' } & ProxyAnswer)
  | { readonly do: 'lose'; readonly done?: () => void }
  | { readonly do: 'limit'; readonly bytes: number; readonly how: 'break' | 'end' | 'silence'; readonly first?: string }
  | { readonly do: 'lines'; readonly count: number }
  | { readonly do: 'rewrite'; readonly body: (text: string) => string }
  | { readonly do: 'prepend'; readonly text: string };

export const PASS: ProxyFault = { do: 'pass' };

/** An answer in the form of a Kubernetes Status. */
export function proxyStatus(
  status: number,
  reason: string,
  message: string,
  headers: { readonly [name: string]: string } = {},
): ProxyFault {
  const body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason, message, code: status };
  return { do: 'answer', status, headers, body: JSON.stringify(body) };
}

/** The line of a watch that says that the server cannot go on from there. */
export function errorEvent(code: number, reason: string, message: string): string {
  const object = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason, message, code };
  return `${JSON.stringify({ type: 'ERROR', object })}\n`;
}
