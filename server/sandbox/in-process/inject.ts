import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Handler } from '../http/in-turns';
import { MemoryBody } from './memory-body';

/** A request that reaches the server without a socket. */
export interface InjectedRequest {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly headers?: { readonly [name: string]: string } | undefined;
  readonly body?: string | Uint8Array | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface InjectedResponse {
  readonly status: number;
  readonly headers: { [name: string]: string };
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Runs a request through a handler of Node's HTTP server in this process: the same code and the same bytes as over the
 * network, without sockets, TLS and real time. For the simulator, which needs a run to be the same every time. Resolves
 * when the headers have been written.
 */
export function injectRequest(handler: Handler, wanted: InjectedRequest): Promise<InjectedResponse> {
  return new Promise((resolve, reject) => {
    const { signal } = wanted;
    if (signal?.aborted === true) {
      reject(signal.reason);
      return;
    }
    const abort = () => {
      response.destroy();
      reject(signal?.reason);
    };
    const request = new MemoryRequest(wanted);
    const response = new MemoryResponse((status, headers) => resolve({ status, headers, body: response.received }));
    signal?.addEventListener('abort', abort, { once: true });
    response.once('close', () => {
      signal?.removeEventListener('abort', abort);
      if (!response.headersSent) reject(new Error('The server closed the connection without an answer.'));
    });
    handler(request as unknown as IncomingMessage, response as unknown as ServerResponse);
  });
}

/** The part of IncomingMessage that the sandbox reads. */
export class MemoryRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: { [name: string]: string } = {};
  readonly headersDistinct: { [name: string]: string[] } = {};
  readonly complete = true;
  /** No TLS, so no client certificate. */
  readonly socket = { getPeerCertificate: () => ({}), authorized: false, setNoDelay: () => {} };
  private readonly bytes: Buffer;

  constructor({ method, path, headers, body }: InjectedRequest) {
    this.method = method;
    this.url = path;
    this.bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(body as Uint8Array);
    for (const [name, value] of Object.entries(headers ?? {})) this.headers[name.toLowerCase()] = value;
    if (this.bytes.length > 0) this.headers['content-length'] = String(this.bytes.length);
    for (const [name, value] of Object.entries(this.headers)) this.headersDistinct[name] = [value];
  }

  /** The whole body is delivered to the first listener. */
  on(event: string, listener: (chunk: Buffer) => void): this {
    if (event === 'data' && this.bytes.length > 0) queueMicrotask(() => listener(this.bytes));
    return this;
  }

  once(event: string, listener: () => void): this {
    if (event === 'end') queueMicrotask(listener);
    return this;
  }

  destroy(): void {
    // There is no connection to give up; what is left of the body is simply not read.
  }
}

/** The part of ServerResponse that the sandbox writes. */
class MemoryResponse extends EventEmitter {
  readonly received = new MemoryBody({ drained: () => this.emit('drain'), left: () => this.destroy() });
  statusCode = 200;
  headersSent = false;
  destroyed = false;
  private readonly headers: { [name: string]: string } = {};

  constructor(private readonly onHeaders: (status: number, headers: { [name: string]: string }) => void) {
    super();
  }

  /** Bytes that have not been read yet. */
  get writableLength(): number {
    return this.received.waitingBytes;
  }

  setHeader(name: string, value: string | number | readonly string[]): this {
    this.headers[name.toLowerCase()] = String(value);
    return this;
  }

  writeHead(status: number, headers: { [name: string]: string | number | readonly string[] } = {}): this {
    this.statusCode = status;
    for (const [name, value] of Object.entries(headers)) this.setHeader(name, value);
    return this;
  }

  flushHeaders(): void {
    if (this.headersSent) return;
    this.headersSent = true;
    this.onHeaders(this.statusCode, this.headers);
  }

  write(chunk: string | Uint8Array): boolean {
    if (this.destroyed) return false;
    this.flushHeaders();
    return this.received.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  }

  end(chunk?: string | Uint8Array): this {
    if (this.destroyed) return this;
    this.flushHeaders();
    if (chunk !== undefined && chunk.length > 0) this.write(chunk);
    this.received.end();
    this.close();
    return this;
  }

  destroy(): this {
    if (this.destroyed) return this;
    this.received.break(new Error('The connection was closed.'));
    this.close();
    return this;
  }

  private close(): void {
    this.destroyed = true;
    queueMicrotask(() => this.emit('close'));
  }
}
