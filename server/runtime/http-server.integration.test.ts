import { connect } from 'node:net';
import { join } from 'node:path';
import { connect as connectByTls } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { createLog } from '@/server/log/log';
import { freePort, temporaryFolder } from '@/test/programs/process';
import { loopbackCertificate, mountSecret } from '@/test/programs/tls-files';
import { type ConsoleServer, listen } from './http-server';
import { TlsPair } from './tls-pair';

const HEADERS_WITHIN_MS = 50;

describe('a connection that does not send a whole request in time', () => {
  let server: ConsoleServer;
  let port: number;

  async function open(tls?: TlsPair): Promise<void> {
    port = await freePort();
    server = await listen({ host: '127.0.0.1', port, basePath: '' }, tls, HEADERS_WITHIN_MS);
    server.serve((_request, response) => void response.end('hello'));
  }

  afterEach(() => server.close());

  it('is closed without an answer when nothing was sent: browsers connect ahead of need', async () => {
    await open();
    expect(await saidUntilClosed(connect(port, '127.0.0.1'), '')).toBe('');
  });

  it('is closed without an answer by HTTPS too', async () => {
    const certificate = loopbackCertificate();
    const folder = temporaryFolder('tls');
    mountSecret(folder, certificate);
    const settings = { certFile: join(folder, '..data', 'tls.crt'), keyFile: join(folder, '..data', 'tls.key') };
    await open(new TlsPair({ settings, clock: new VirtualClock(), log: createLog('console', 'error') }));
    const socket = connectByTls({ port, host: '127.0.0.1', ca: certificate.caBundlePem });
    expect(await saidUntilClosed(socket, '')).toBe('');
  });

  it('gets 408 when a part of it was sent, which browsers and proxies know how to repeat', async () => {
    await open();
    const said = await saidUntilClosed(connect(port, '127.0.0.1'), 'GET / HTTP/1.1\r\nHost: 127.');
    expect(said).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(said).toContain('The request did not arrive in time.');
  });

  it('gets 400 when it is no request', async () => {
    await open();
    const said = await saidUntilClosed(connect(port, '127.0.0.1'), 'hello\r\n\r\n');
    expect(said).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  });
});

/** What the server writes until it closes the connection. */
function saidUntilClosed(socket: ReturnType<typeof connect>, written: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      said += text;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(said));
    if (written !== '') socket.write(written);
  });
}
