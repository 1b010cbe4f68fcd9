import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import { limits } from '@/lib/limits/limits';
import type { Listen } from './address';
import { type AnswerOptions, answerReview } from './answer-review';
import type { CertificateSet } from './certificates';
import { WEBHOOK_PATH } from './registration';

export interface WebhookServerOptions extends AnswerOptions {
  readonly listen: Listen;
  /** True when an answer would be a good one. */
  isReady(): boolean;
  /** What `/readyz` says besides. */
  words(): string;
}

/** An HTTPS server that answers AdmissionReviews, and `/healthz` and `/readyz`. */
export interface WebhookServer {
  readonly port: number;
  /** Connections from now on see this certificate. */
  serveWith(certificates: CertificateSet): void;
  stop(): Promise<void>;
}

const JSON_TYPE = 'application/json';

/** Stands in the place of {@link startWebhookServer} where there is no network. */
export type ServeWebhook = typeof startWebhookServer;

/**
 * Listens with a first certificate.
 *
 * @throws TerminalError when the port is taken
 */
export async function startWebhookServer(
  options: WebhookServerOptions,
  certificates: CertificateSet,
): Promise<WebhookServer> {
  const server = createServer(
    {
      ...tlsOf(certificates),
      minVersion: 'TLSv1.2',
      maxHeaderSize: limits.reviewHeaderBytes,
      connectionsCheckingInterval: CHECK_EVERY_MS,
    },
    (request, response) => {
      void respond(request, response, options).catch((error: unknown) => {
        if (!(error instanceof HungUp)) options.log.error('webhook.bug', { problem: messageOf(error) });
        response.destroy();
      });
    },
  );
  server.headersTimeout = limits.reviewDeadlineMs;
  server.requestTimeout = limits.reviewDeadlineMs;
  // Longer than clients keep an idle connection, so that it is not closed under a question.
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.maxConnections = limits.reviewConnections;
  // Broken handshakes and half requests of strangers end their own connection and nothing else.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  server.on('clientError', (_error, socket) => socket.destroy());
  const port = await listening(server, options.listen);
  return {
    port,
    serveWith: (next) => server.setSecureContext({ ...tlsOf(next), minVersion: 'TLSv1.2' }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        options.clock.after(STOP_WITHIN_MS, () => server.closeAllConnections());
      }),
  };
}

const STOP_WITHIN_MS = 1_000;
/** How often connections are held against their deadlines. */
const CHECK_EVERY_MS = 1_000;
const KEEP_ALIVE_MS = 100_000;

function tlsOf({ certificatePem, keyPem }: CertificateSet) {
  return { cert: certificatePem, key: keyPem };
}

function listening(server: Server, { host, port }: Listen): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const advice = 'choose another with BRAVO_WEBHOOK_PORT, or BRAVO_WEBHOOK=off';
      reject(
        new TerminalError(
          `The webhook cannot listen on ${host ?? '*'}:${port}: ${messageOf(error)}; ${advice}.`,
          'PortTaken',
        ),
      );
    });
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

async function respond(request: IncomingMessage, response: ServerResponse, options: WebhookServerOptions) {
  const path = (request.url ?? '').split('?', 1)[0];
  if (path === '/healthz') return say(response, 200, 'ok');
  if (path === '/readyz') return say(response, ...readiness(options));
  if (path !== WEBHOOK_PATH) return refuse(request, response, 404, 'there is nothing here');
  if (request.method !== 'POST') return refuse(request, response, 405, 'an AdmissionReview is sent with POST');
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim();
  if (type !== JSON_TYPE) return refuse(request, response, 415, `an AdmissionReview is sent as ${JSON_TYPE}`);
  const text = await readBody(request);
  if (text === undefined) return refuse(request, response, 413, 'the body is too large');
  const { status, text: words } = await answerReview(text, options);
  if (status === 200) send(response, status, JSON_TYPE, words);
  else say(response, status, words);
}

function readiness(options: WebhookServerOptions): [number, string] {
  const words = `the webhook ${options.words()}`;
  return options.isReady() ? [200, `ok: ${words}`] : [503, `not yet: ${words}`];
}

/** A client that disconnects during a review gets no response. */
class HungUp extends Error {}

/** The whole body, or undefined when it is too large. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limits.reviewBytes) return undefined;
      chunks.push(chunk);
    }
  } catch {
    throw new HungUp();
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Says no and hangs up: what is still to come of the body is not read. */
function refuse(request: IncomingMessage, response: ServerResponse, status: number, problem: string): void {
  response.setHeader('connection', 'close');
  response.once('finish', () => request.destroy());
  say(response, status, problem);
}

function say(response: ServerResponse, status: number, words: string): void {
  send(response, status, 'text/plain; charset=utf-8', `${words}\n`);
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
