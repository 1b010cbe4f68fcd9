import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough, Readable, Writable } from 'node:stream';

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

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Runs a request through a handler of Node's HTTP server in this process: the same code as over the network, without sockets,
 * TLS and real time. For the simulator, which needs a run to be the same every time. Resolves when the headers are there.
 */
export function injectRequest(handler: Handler, wanted: InjectedRequest): Promise<InjectedResponse> {
  return new Promise((resolve, reject) => {
    const request = new MemoryRequest(wanted);
    const response = new MemoryResponse((status, headers) => resolve({ status, headers, body: response.received }));
    const abort = () => {
      response.destroy();
      reject(wanted.signal?.reason);
    };
    if (wanted.signal?.aborted === true) {
      abort();
      return;
    }
    wanted.signal?.addEventListener('abort', abort, { once: true });
    response.once('close', () => {
      wanted.signal?.removeEventListener('abort', abort);
      reject(new Error('The server closed the connection without an answer.'));
    });
    handler(request as unknown as IncomingMessage, response as unknown as ServerResponse);
  });
}

/** The part of IncomingMessage that the sandbox reads. */
class MemoryRequest extends Readable {
  readonly method: string;
  readonly url: string;
  readonly headers: { [name: string]: string };
  readonly headersDistinct: { [name: string]: string[] };
  readonly complete = true;
  /** No TLS, so no client certificate. */
  readonly socket = { getPeerCertificate: () => ({}), authorized: false, setNoDelay: () => {} };

  constructor({ method, path, headers, body }: InjectedRequest) {
    super();
    this.method = method;
    this.url = path;
    this.headers = Object.fromEntries(
      Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(body as Uint8Array);
    if (bytes.length > 0) this.headers['content-length'] = String(bytes.length);
    this.headersDistinct = Object.fromEntries(Object.entries(this.headers).map(([name, value]) => [name, [value]]));
    this.push(bytes);
    this.push(null);
  }

  override _read(): void {
    // Everything was pushed at once.
  }
}

/** The part of ServerResponse that the sandbox writes. */
class MemoryResponse extends Writable {
  readonly received = new PassThrough();
  statusCode = 200;
  headersSent = false;
  private readonly headers: { [name: string]: string } = {};

  constructor(private readonly onHeaders: (status: number, headers: { [name: string]: string }) => void) {
    super();
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

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.flushHeaders();
    this.received.write(chunk);
    done();
  }

  override _final(done: () => void): void {
    this.flushHeaders();
    this.received.end();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.received.destroy(error ?? undefined);
    done(error);
  }
}
