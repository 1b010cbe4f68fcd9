import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { BlockList } from 'node:net';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { isProxyCertificate } from '@/server/auth/proxy-certificate';
import { proxyPerson } from '@/server/auth/proxy-person';
import { createLog } from '@/server/log/log';
import { type ClientPair, clientAuthority } from '@/test/programs/client-certificates';
import { freePort, temporaryFolder } from '@/test/programs/process';
import { loopbackCertificate } from '@/test/programs/tls-files';
import { type ConsoleServer, listen } from './http-server';
import { TlsPair } from './tls-pair';

const TEN_SECONDS_MS = 10_000;
const MINUTE_MS = 60_000;
const NAMES = ['front-proxy', 'proxy.example.org'];
const FORGED = { 'x-remote-user': 'admin', 'x-remote-group': 'system:masters,ops' };
const listed = new BlockList();
listed.addAddress('127.0.0.1');

describe('the certificate of an authenticating proxy', () => {
  const clock = new VirtualClock(systemClock.now());
  const server = loopbackCertificate();
  const startMs = clock.now();
  const authority = clientAuthority('proxies', startMs);
  const other = clientAuthority('proxies', startMs);
  const good = authority.issue({ commonName: 'front-proxy' });
  let [addresses, secret]: [BlockList, string | undefined] = [listed, undefined];
  let folder: string;
  let caFile: string;
  let pair: TlsPair;
  let console_: ConsoleServer;
  let port: number;

  beforeEach(async () => {
    [addresses, secret] = [listed, undefined];
    folder = temporaryFolder('proxy-certificate');
    caFile = join(folder, 'ca.pem');
    const [certFile, keyFile] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
    writeFileSync(certFile, server.certificatePem);
    writeFileSync(keyFile, server.keyPem);
    writeFileSync(caFile, authority.pem);
    const settings = { certFile, keyFile, clientCaFile: caFile };
    pair = new TlsPair({ settings, clock, log: createLog('console', 'error') });
    port = await freePort();
    console_ = await listen({ host: '127.0.0.1', port, basePath: '' }, pair);
    console_.serve((incoming, response) => {
      const proxy = {
        ...{ addresses, secretFile: undefined, clientCaFile: caFile, clientNames: NAMES },
        ...{ userHeader: 'x-remote-user', groupsHeader: 'x-remote-group', signOutUrl: undefined },
      };
      const showsCertificate: Parameters<typeof proxyPerson>[2]['showsCertificate'] = (socket) => {
        const shown = pair.clientCertificate(socket);
        return shown !== undefined && isProxyCertificate(shown, NAMES, clock.now());
      };
      response.end(proxyPerson(incoming, proxy, { secret, showsCertificate })?.name ?? 'nobody');
    });
  });
  afterEach(async () => {
    pair.stop();
    await console_.close();
  });

  /** Who the console takes the sender for. */
  function ask(
    client: Partial<ClientPair>,
    headers: { [name: string]: string } = FORGED,
    agent?: Agent,
  ): Promise<string> {
    return new Promise((resolve, reject) => {
      const options = { ...{ host: '127.0.0.1', port, ca: server.caBundlePem, headers }, ...client };
      const sent = request({ ...options, agent: agent ?? false }, (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += String(chunk);
        });
        response.on('end', () => resolve(text));
        response.on('error', reject);
      });
      sent.on('error', reject);
      sent.end();
    });
  }

  it.each([
    ['its common name', { commonName: 'front-proxy' }],
    ['a DNS name', { commonName: 'other', dnsNames: ['x.example.org', 'proxy.example.org'] }],
  ])('is believed by %s', async (_, facts) => {
    expect(await ask(authority.issue(facts))).toBe('admin');
  });

  it.each([
    ['no certificate', {}],
    ['a certificate of an unknown authority', clientAuthority('others', startMs).issue({ commonName: 'front-proxy' })],
    ['an expired certificate', authority.issue({ commonName: 'front-proxy', endsInMs: -MINUTE_MS })],
    ['a certificate with another name', authority.issue({ commonName: 'front-proxy2' })],
    ['a certificate for a wildcard', authority.issue({ commonName: 'x', dnsNames: ['*.example.org'] })],
    ['a certificate without a name', authority.issue({ commonName: '' })],
    ['a certificate of a server', authority.issue({ commonName: 'front-proxy', use: 'serverAuth' })],
  ])('forged headers with %s name nobody, and the request is answered all the same', async (_, client) => {
    expect(await ask(client)).toBe('nobody');
  });

  // OpenSSL leaves an error behind when the signature of a certificate is wrong; Node reports it after the handshake.
  it('of another authority with the same name is worth nothing, and spoils no answer', async () => {
    const forged = other.issue({ commonName: 'front-proxy' });
    for (let tries = 0; tries < 5; tries++) {
      const socket = connect({ host: '127.0.0.1', port, ca: server.caBundlePem, ...forged });
      const answer = await exchange(socket).catch(() => 'the connection was closed');
      expect(answer).not.toContain('admin');
      expect(answer).not.toContain('Bad Request');
    }
  });

  it('does not count from another address', async () => {
    addresses = new BlockList();
    expect(await ask(good)).toBe('nobody');
  });

  it('does not count without the secret, nor the secret without it, where both are set', async () => {
    secret = 'a-secret-of-the-proxy';
    const withSecret = { ...FORGED, 'x-bravo-proxy-secret': secret };
    expect(await ask(good)).toBe('nobody');
    expect(await ask({}, withSecret)).toBe('nobody');
    expect(await ask(good, withSecret)).toBe('admin');
  });

  it('does not count for a resumed session of TLS that never showed one', async () => {
    const session = await sessionOf({});
    const socket = connect({ host: '127.0.0.1', port, ca: server.caBundlePem, session });
    let isReused = false;
    socket.once('secureConnect', () => {
      isReused = socket.isSessionReused();
    });
    const answer = await exchange(socket);
    expect(isReused).toBe(true);
    expect(answer).toContain('nobody');
  });

  it('does not count for a session of TLS that a former authority let in', async () => {
    const session = await sessionOf(good);
    const resume = () => exchange(connect({ host: '127.0.0.1', port, ca: server.caBundlePem, session }));
    expect(await resume()).toContain('admin');
    writeFileSync(caFile, other.pem);
    await clock.advance(TEN_SECONDS_MS);
    expect(await resume()).toContain('nobody');
  });

  it('counts no longer on an open connection when it has expired', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const brief = authority.issue({ commonName: 'front-proxy', endsInMs: clock.now() - startMs + MINUTE_MS });
    expect(await ask(brief, FORGED, agent)).toBe('admin');
    await clock.advance(MINUTE_MS);
    expect(await ask(brief, FORGED, agent)).toBe('nobody');
    agent.destroy();
  });

  it('counts no longer when its authority has been taken away, nor on a connection that is open', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect(await ask(good, FORGED, agent)).toBe('admin');
    writeFileSync(caFile, other.pem);
    await clock.advance(TEN_SECONDS_MS);
    expect(await ask(good)).toBe('nobody');
    // The idle connection was closed: a request on it fails, or is sent on a new one.
    expect(await ask(good, FORGED, agent).catch(() => 'nobody')).toBe('nobody');
    expect(await ask(other.issue({ commonName: 'front-proxy' }))).toBe('admin');
    agent.destroy();
  });

  it.each([
    ['half of a certificate', authority.pem.slice(0, 200), /ca\.pem has no certificate in PEM/],
    ['a certificate that is no authority', good.cert, /Certificate 1 of .*ca\.pem is not of an authority/],
  ])('keeps its former authorities while the file has %s, and says so', async (_, text, problem) => {
    writeFileSync(caFile, text);
    await clock.advance(TEN_SECONDS_MS);
    expect(pair.status.problem).toMatch(problem);
    expect(await ask(good)).toBe('admin');
    writeFileSync(caFile, authority.pem);
    await clock.advance(TEN_SECONDS_MS);
    expect(pair.status.problem).toBeUndefined();
  });

  it('does not start without authorities', () => {
    writeFileSync(caFile, '');
    const settings = { certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key'), clientCaFile: caFile };
    const fresh = new TlsPair({ settings, clock, log: createLog('console', 'error') });
    expect(() => fresh.first()).toThrow(/BRAVO_PROXY_CLIENT_CA .*ca\.pem has no certificate/);
  });

  /** A session of TLS 1.3, to be resumed. */
  async function sessionOf(client: Partial<ClientPair>): Promise<Buffer> {
    const socket = connect({ ...{ host: '127.0.0.1', port, ca: server.caBundlePem }, ...client });
    const session = new Promise<Buffer>((resolve) => {
      socket.once('session', resolve);
    });
    await exchange(socket);
    return session;
  }

  /** One request with forged headers on a socket, to its end. */
  function exchange(socket: TLSSocket): Promise<string> {
    const headers = Object.entries(FORGED).map(([name, value]) => `${name}: ${value}\r\n`);
    return new Promise((resolve, reject) => {
      let text = '';
      socket.on('data', (chunk) => {
        text += String(chunk);
      });
      socket.on('close', () => resolve(text));
      socket.on('error', reject);
      socket.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${headers.join('')}Connection: close\r\n\r\n`);
    });
  }
});
