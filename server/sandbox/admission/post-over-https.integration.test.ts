import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { limits } from '@/lib/limits/limits';
import { systemRandom } from '@/lib/random/random';
import type { ReviewPost } from '../registry/post-review';
import { makeAuthority, makeServerCertificate } from '../tls/certificates';
import { postOverHttps } from './post-over-https';

const issue = { nowMs: systemClock.now(), serial: Buffer.from([1, ...systemRandom.bytes(15)]) };
const authority = makeAuthority(issue);
const certificate = makeServerCertificate(authority, issue);

let answer: (response: ServerResponse, request: IncomingMessage) => void;
let asked: number;
let server: Server;

async function start(port = 0): Promise<void> {
  server = createServer({ key: certificate.keyPem, cert: certificate.certificatePem }, (request, response) => {
    asked += 1;
    request.resume().on('end', () => answer(response, request));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
}

async function stop(): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

const question = (more: Partial<ReviewPost> = {}): ReviewPost => ({
  url: new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}/admit?timeout=2s`),
  caBundle: authority.certificatePem,
  timeoutMs: 20_000,
  body: '{}',
  ...more,
});

beforeEach(async () => {
  asked = 0;
  answer = (response) => response.end('yes');
  await start();
});
afterEach(stop);

describe('a question to a webhook', () => {
  it('is answered again and again on connections that are kept', async () => {
    const ports = new Set<number | undefined>();
    answer = (response, request) => {
      ports.add(request.socket.remotePort);
      response.end(`${request.method} ${request.url}`);
    };
    for (let count = 0; count < 9; count++) expect(await postOverHttps(question())).toBe('POST /admit?timeout=2s');
    expect(ports.size).toBeLessThan(3);
  });

  it('reaches a webhook that was restarted meanwhile', async () => {
    const post = question();
    expect(await postOverHttps(post)).toBe('yes');
    await stop();
    await start(Number(post.url.port));
    answer = (response) => response.end('still');
    expect(await postOverHttps(post)).toBe('still');
  });

  it('is not asked again when half of an answer came', async () => {
    answer = (response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('half', () => response.destroy());
    };
    await expect(postOverHttps(question())).rejects.toThrow();
    expect(asked).toBe(1);
  });

  it.each([
    ['nobody answers', () => undefined, 'context deadline exceeded', 50],
    ['only 102 is answered', (response: ServerResponse) => response.writeProcessing(), 'context deadline exceeded', 50],
    [
      'it is refused',
      (response: ServerResponse) => response.writeHead(403).end(),
      'responded with the status code 403',
    ],
    [
      'the answer has no end',
      (response: ServerResponse) => response.end(Buffer.alloc(limits.requestBodyBytes + 1)),
      'the answer is too large',
    ],
  ])('fails when %s', async (_case, behave, problem, timeoutMs = 20_000) => {
    answer = behave;
    await expect(postOverHttps(question({ timeoutMs }))).rejects.toThrow(problem);
  });

  it('fails when the certificate is of another authority, and when no server listens', async () => {
    const other = makeAuthority({ ...issue, serial: Buffer.from([2, ...systemRandom.bytes(15)]) });
    await expect(postOverHttps(question({ caBundle: other.certificatePem }))).rejects.toThrow(/certificate/);
    const url = new URL('https://127.0.0.1:1/admit');
    await expect(postOverHttps(question({ url }))).rejects.toThrow('ECONNREFUSED');
  });
});
