import { request } from 'node:http';

export interface RawAnswer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  readonly text: string;
}

export interface RawAsk {
  readonly method?: string;
  /** Sent unchanged: no parser normalises it. */
  readonly path: string;
  readonly headers?: { readonly [name: string]: string | readonly string[] };
  readonly body?: string | Uint8Array;
}

/** One request with any path and headers; `fetch` would normalise both. */
export function ask(base: string, { method = 'GET', path, headers = {}, body }: RawAsk): Promise<RawAnswer> {
  const { hostname, port, host } = new URL(base);
  const own = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? [...value] : value]),
  );
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, path, method, headers: { host, ...own } as Record<string, string | string[]>, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
