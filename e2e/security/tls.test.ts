import { X509Certificate } from 'node:crypto';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleProcess, startConsoleProcess } from '@/test/programs/console-process';
import { startNode, stopAll, temporaryFolder } from '@/test/programs/process';
import { askByTls, loopbackCertificate, mountSecret } from '@/test/programs/tls-files';

describe('the console by HTTPS', () => {
  const certificate = loopbackCertificate();
  let console_: ConsoleProcess;
  let base: string;
  let cookie = '';
  const ask = (path: string, options = {}) => askByTls(base + path, certificate.caBundlePem, options);

  beforeAll(async () => {
    const folder = temporaryFolder('tls');
    mountSecret(folder, certificate);
    for (const name of ['tls.crt', 'tls.key']) symlinkSync(join('..data', name), join(folder, name));
    const [cert, key] = ['tls.crt', 'tls.key'].map((name) => join(folder, name));
    console_ = await startConsoleProcess({
      ...{ BRAVO_AUTH: 'token', BRAVO_CONTROLLER: 'off' },
      ...{ BRAVO_TLS_CERT: cert ?? '', BRAVO_TLS_KEY: key ?? '' },
    });
    base = console_.base.replace('http:', 'https:');
  }, 300_000);
  afterAll(stopAll);

  it('gives a cookie that is bound to this host and to HTTPS, and serves pages of each cluster with it', async () => {
    const token = readFileSync(join(console_.settings.BRAVO_DATA ?? '', 'users', 'admin.token'), 'utf8').trim();
    const headers = { 'content-type': 'application/json', origin: base, 'sec-fetch-site': 'same-origin' };
    const body = JSON.stringify({ token, to: '/' });
    const signedIn = await ask('/api/auth/token', { method: 'POST', headers, body });
    const [first = ''] = [signedIn.headers['set-cookie'] ?? []].flat();
    cookie = first.split(';', 1)[0] ?? '';
    expect(first).toMatch(/^__Host-bravo=.*Secure/);
    for (const path of ['/', '/instances', '/c/sandbox/instances', '/c/sandbox/api/resources', '/api/health']) {
      expect((await ask(path, { headers: { cookie } })).status, path).toBe(200);
    }
  });

  it('says on the page Status until when its certificate is valid', async () => {
    const status = JSON.parse((await ask('/api/status', { headers: { cookie } })).text);
    const endsMs = new Date(new X509Certificate(certificate.certificatePem).validTo).getTime();
    expect(status.console.certificate).toMatchObject({ certFile: expect.stringMatching(/tls\.crt$/), endsMs });
    expect(status.console.certificate.problem).toBeUndefined();
  });

  it('does not start with one of the two files', async () => {
    const running = startNode(['bin/bravo', 'console'], {
      BRAVO_TLS_CERT: '/no/such/file',
      BRAVO_DATA: temporaryFolder('tls'),
    });
    expect((await running.exited()).code).toBe(1);
    expect(running.output()).toContain('BRAVO_TLS_KEY: name the file with the key of BRAVO_TLS_CERT.');
  });
});
