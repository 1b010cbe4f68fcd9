import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { createLog } from '@/server/log/log';
import { endOfCertificate } from '@/server/webhook/certificates';
import { freePort, temporaryFolder } from '@/test/programs/process';
import { askByTls, loopbackCertificate, mountSecret } from '@/test/programs/tls-files';
import { type ConsoleServer, listen } from './http-server';
import { TlsPair } from './tls-pair';

const TEN_SECONDS_MS = 10_000;
const DAY_MS = 86_400_000;

describe('a console with a certificate', () => {
  const clock = new VirtualClock();
  const first = loopbackCertificate();
  let folder: string;
  let server: ConsoleServer;
  let pair: TlsPair;
  let url: string;

  beforeEach(async () => {
    folder = temporaryFolder('tls');
    mountSecret(folder, first);
    for (const name of ['tls.crt', 'tls.key']) symlinkSync(join('..data', name), join(folder, name));
    const settings = { certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') };
    pair = new TlsPair({ settings, clock, log: createLog('console', 'error') });
    const port = await freePort();
    server = await listen({ host: '127.0.0.1', port, basePath: '' }, pair);
    server.serve((_request, response) => void response.end('hello'));
    url = `https://127.0.0.1:${port}/`;
  });
  afterEach(async () => {
    pair.stop();
    await server.close();
  });

  it('serves by HTTPS', async () => {
    expect(await askByTls(url, first.caBundlePem)).toMatchObject({ status: 200, text: 'hello' });
  });

  it('serves a renewed certificate without a restart', async () => {
    const second = loopbackCertificate();
    mountSecret(folder, second);
    await clock.advance(TEN_SECONDS_MS);
    expect((await askByTls(url, second.caBundlePem)).text).toBe('hello');
    await expect(askByTls(url, first.caBundlePem)).rejects.toThrow();
  });

  it('serves the former pair while the files do not fit together, and says why', async () => {
    mountSecret(folder, { certificatePem: loopbackCertificate().certificatePem, keyPem: first.keyPem });
    await clock.advance(TEN_SECONDS_MS);
    expect((await askByTls(url, first.caBundlePem)).text).toBe('hello');
    expect(pair.status.problem).toMatch(
      /tls\.key is not that of the certificate of .*tls\.crt\.$|are not a certificate and its key/,
    );
    mountSecret(folder, first);
    await clock.advance(TEN_SECONDS_MS);
    expect(pair.status.problem).toBeUndefined();
  });

  it('serves the former pair while the renewed certificate has expired, or is half written, and names the file', async () => {
    const endsMs = pair.status.endsMs;
    mountSecret(folder, loopbackCertificate(clock.now() - 61 * DAY_MS));
    await clock.advance(TEN_SECONDS_MS);
    expect(pair.status.problem).toMatch(/^The certificate of .*tls\.crt has expired: 20\d\d-.*Z\.$/);
    mountSecret(folder, { ...first, certificatePem: first.certificatePem.slice(0, 300) });
    await clock.advance(TEN_SECONDS_MS);
    expect(pair.status.problem).toMatch(/tls\.crt and .*tls\.key are not a certificate and its key in PEM/);
    expect((await askByTls(url, first.caBundlePem)).text).toBe('hello');
    expect(pair.status).toMatchObject({ certFile: join(folder, 'tls.crt'), endsMs });
  });

  it('serves a certificate that expires later than an expired one: there is nothing better', async () => {
    mountSecret(folder, loopbackCertificate(clock.now() - 100 * DAY_MS));
    pair.first();
    const second = loopbackCertificate(clock.now() - 61 * DAY_MS);
    mountSecret(folder, second);
    await clock.advance(TEN_SECONDS_MS);
    expect(pair.status.problem).toBeUndefined();
    expect(pair.status.endsMs).toBe(endOfCertificate(second.certificatePem));
  });

  it('does not start with files that are no certificate, and does not say what is in them', async () => {
    mountSecret(folder, { certificatePem: 'canary', keyPem: 'canary' });
    const begin = () => listen({ host: '127.0.0.1', port: 1, basePath: '' }, pair);
    await expect(begin()).rejects.toThrow('are not a certificate and its key in PEM');
    await expect(begin()).rejects.not.toThrow('canary');
  });
});
