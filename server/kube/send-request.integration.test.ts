import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { readText } from './body';
import { sendRequest } from './send-request';

let server: Server;
let pool: Pool;

/** Starts a server with that answer and gives a function that asks it. */
async function asked(answer: RequestListener) {
  server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  pool = new Pool(origin);
  return (path: string, options: { method?: string; body?: string; signal?: AbortSignal } = {}) =>
    sendRequest(pool, origin, { method: 'GET', path, ...options });
}

afterEach(async () => {
  await pool.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const LARGE = 8 * 1024 * 1024;

describe('a request by undici’s dispatch', () => {
  it('returns status, headers and the whole body, whatever the status', async () => {
    const ask = await asked((request, response) => {
      response.writeHead(409, { 'X-Method': request.method ?? '', 'set-cookie': ['a', 'b'] });
      request.pipe(response);
    });
    const { status, headers, body } = await ask('/x', { method: 'POST', body: 'sent' });
    expect([status, headers['x-method'], headers['set-cookie']]).toEqual([409, 'POST', 'a, b']);
    expect(await readText(body, 100)).toBe('sent');
  });

  it('reads text whose characters are cut by the pieces in which it arrives', async () => {
    const euro = Buffer.from('€');
    const ask = await asked((_, response) => {
      response.write(euro.subarray(0, 1));
      setImmediate(() => response.end(Buffer.concat([euro.subarray(1), euro])));
    });
    expect(await readText((await ask('/')).body, 100)).toBe('€€');
    const pieces = (async function* () {
      yield euro.subarray(0, 2);
      yield euro.subarray(2);
    })();
    expect(await readText(pieces, 100)).toBe('€');
  });

  it('reuses its connections', async () => {
    const ports = new Set<number | undefined>();
    const ask = await asked((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('x');
    });
    for (let round = 0; round < 5; round++) await readText((await ask('/')).body, 10);
    // The next one may be on its way before the first is free.
    expect(ports.size).toBeLessThan(3);
  });

  it('fails for a body that is larger than the limit', async () => {
    const ask = await asked((_, response) => response.end(Buffer.alloc(LARGE)));
    const { body } = await ask('/');
    await expect(readText(body, 1_000)).rejects.toThrow(new RangeError('The response is larger than 1000 bytes.'));
  });

  it('pauses for a slow reader, loses nothing, and also reads a paused body as a whole', async () => {
    let written = 0;
    const ask = await asked((_, response) => {
      const more = () => {
        while (written < 64 * LARGE) {
          written += 65_536;
          if (!response.write(Buffer.alloc(65_536, 1))) return;
        }
        response.end();
      };
      response.on('drain', more);
      more();
    });
    const { body } = await ask('/');
    let read = 0;
    for await (const chunk of body) {
      read += chunk.length;
      if (read >= 2 * LARGE) break;
    }
    expect(written).toBeLessThan(64 * LARGE);
  });

  it('closes the connection when its reader stops early', async () => {
    let closed: () => void = () => undefined;
    const gone = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const ask = await asked((_, response) => {
      response.on('close', closed);
      response.write('line\n');
    });
    for await (const chunk of (await ask('/')).body) {
      expect(Buffer.from(chunk).toString()).toBe('line\n');
      break;
    }
    await gone;
  });

  it('fails with the reason of an abort: before it is sent, before the headers, and in the body', async () => {
    const ask = await asked((request, response) => {
      if (request.url === '/body') response.write('begun');
    });
    const reason = new Error('enough');
    await expect(ask('/', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const early = new AbortController();
    const waiting = ask('/headers', { signal: early.signal });
    early.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    const late = new AbortController();
    const { body } = await ask('/body', { signal: late.signal });
    const reading = readText(body, 100);
    late.abort(reason);
    await expect(reading).rejects.toBe(reason);
  });

  it('fails when the connection breaks, before the headers and in the body', async () => {
    const ask = await asked((request, response) => {
      if (request.url === '/body') response.write('begun', () => request.socket.destroy());
      else request.socket.destroy();
    });
    await expect(ask('/')).rejects.toThrow();
    const { body } = await ask('/body');
    await expect(readText(body, 100)).rejects.toThrow();
  });
});
