import { createServer, type IncomingHttpHeaders } from 'node:http';

/** A request that a receiver got. */
export interface ReceivedNotice {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A real HTTP server on 127.0.0.1 that keeps what it gets. */
export interface NoticeReceiver {
  readonly url: string;
  readonly received: ReceivedNotice[];
  /** Answers from now on, one after the other; 204 when there are no more. Undefined: never. */
  answers: (number | { readonly status: number; readonly headers: { readonly [name: string]: string } } | undefined)[];
  close(): Promise<void>;
}

export async function startNoticeReceiver(): Promise<NoticeReceiver> {
  const received: ReceivedNotice[] = [];
  const receiver: NoticeReceiver = {
    url: '',
    received,
    answers: [],
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      });
      const answer = receiver.answers.length === 0 ? 204 : receiver.answers.shift();
      if (answer === undefined) return;
      const { status, headers } = typeof answer === 'number' ? { status: answer, headers: {} } : answer;
      response.writeHead(status, headers).end('the answer is not read');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return Object.assign(receiver, { url: `http://127.0.0.1:${port}/hook/very-secret` });
}
