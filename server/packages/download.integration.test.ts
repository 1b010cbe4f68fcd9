import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { limits } from '@/lib/limits/limits';
import { createDownload, redirectTarget } from './download';

describe('a download', () => {
  const download = createDownload('lab/1');
  let server: Server;
  let base: string;
  let asked: () => void = () => undefined;
  const agents: (string | undefined)[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      agents.push(request.headers['user-agent']);
      if (request.url === '/silent') asked();
      else if (request.url === '/moved') response.writeHead(307, { location: 'bytes?x=1' }).end();
      else response.end(Buffer.alloc(1000));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    base = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('gives the bytes, takes no more than it was told, and says who asks', async () => {
    const options = { clock: systemClock, maxBytes: 1000 };
    expect((await download(`${base}/moved`, options)).length).toBe(1000);
    await expect(download(`${base}/bytes`, { ...options, maxBytes: 999 })).rejects.toThrow(
      `failed to fetch ${base}/bytes: the file is larger than 999 bytes`,
    );
    await expect(download(base.replace('//', '//anna:hidden@'), { ...options, maxBytes: 999 })).rejects.toThrow(
      `failed to fetch ${base}/: the file is larger than 999 bytes`,
    );
    expect(new Set(agents)).toEqual(new Set(['lab/1']));
  });

  it('ends when nobody answers', async () => {
    const clock = new VirtualClock();
    const reached = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const outcome = expect(download(`${base}/silent`, { clock, maxBytes: 1 })).rejects.toThrow(
      `failed to fetch ${base}/silent: no answer within 60 s`,
    );
    await reached;
    await clock.advance(limits.downloadDeadlineMs);
    await outcome;
  });

  it('follows no redirect from https to http, or to an invalid address', () => {
    const from = new URL('https://h/a/b');
    expect(redirectTarget(from, '../c').href).toBe('https://h/c');
    expect(() => redirectTarget(from, 'http://h/c')).toThrow('the redirect leads from https to http, http://h/c');
    expect(() => redirectTarget(from, 'https://')).toThrow('the redirect has no valid address');
    const secret = new URL('https://anna:hidden@h/a');
    expect(() => redirectTarget(secret, 'http://bert:secret@h/c')).toThrow(
      'failed to fetch https://h/a: the redirect leads from https to http, http://h/c',
    );
  });
});
