import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { createDownload } from '@/server/packages/download';
import { guardedConnect } from './guarded-connect';

describe('a connection to an address that a person chose', () => {
  let server: Server;
  let port = 0;
  const seen: (string | undefined)[] = [];
  const get = (url: string, allowLocal: boolean, authorization?: { origin: string; value: string }) =>
    createDownload('lab/1', { connect: guardedConnect(allowLocal), authorization })(url, {
      clock: systemClock,
      maxBytes: 100,
    });

  beforeAll(async () => {
    server = createServer((request, response) => {
      seen.push(request.headers.authorization);
      if (request.url === '/metadata') response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end();
      else if (request.url === '/other') response.writeHead(302, { location: `http://localhost:${port}/` }).end();
      else response.end('ok');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    port = typeof address === 'object' && address !== null ? address.port : 0;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('leads to no metadata service, also by a redirect, and to this machine only where that is allowed', async () => {
    expect(Buffer.from(await get(`http://127.0.0.1:${port}/`, true)).toString()).toBe('ok');
    await expect(get(`http://127.0.0.1:${port}/`, false)).rejects.toThrow('127.0.0.1 is this machine');
    await expect(get(`http://localhost:${port}/`, false)).rejects.toThrow('resolves to this machine');
    await expect(get('http://169.254.169.254/', true)).rejects.toThrow('is a link-local address or a metadata service');
    await expect(get(`http://127.0.0.1:${port}/metadata`, true)).rejects.toThrow('a metadata service');
    await expect(get(`http://[::ffff:127.0.0.1]:${port}/`, false)).rejects.toThrow('is this machine');
  });

  it('sends credentials to their own server only', async () => {
    seen.length = 0;
    await get(`http://127.0.0.1:${port}/other`, true, { origin: `http://127.0.0.1:${port}`, value: 'Basic x' });
    expect(seen).toEqual(['Basic x', undefined]);
  });
});
