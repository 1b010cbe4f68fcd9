import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { clientAuthority } from '@/test/programs/client-certificates';
import { startConsoleProcess } from '@/test/programs/console-process';
import { stopAll, temporaryFolder } from '@/test/programs/process';
import { askByTls, loopbackCertificate } from '@/test/programs/tls-files';

/** What somebody may try against a console whose authenticating proxy proves itself by a client certificate. */
describe('a console behind a proxy with a client certificate', () => {
  const server = loopbackCertificate();
  const authority = clientAuthority('proxies', systemClock.now());
  const proxy = authority.issue({ commonName: 'front-proxy' });
  const forged = { 'x-remote-user': 'jo', 'x-remote-group': 'system:masters' };
  let base: string;
  const ask = (path: string, options = {}) => askByTls(base + path, server.caBundlePem, options);

  beforeAll(async () => {
    const folder = temporaryFolder('proxy-certificate');
    const path = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const console_ = await startConsoleProcess({
      ...{ BRAVO_AUTH: 'proxy', BRAVO_PROXY_ADDRESSES: '127.0.0.1', BRAVO_CONTROLLER: 'off' },
      BRAVO_TLS_CERT: path('tls.crt', server.certificatePem),
      BRAVO_TLS_KEY: path('tls.key', server.keyPem),
      BRAVO_PROXY_CLIENT_CA: path('ca.crt', authority.pem),
      BRAVO_PROXY_CLIENT_NAMES: 'front-proxy',
    });
    base = console_.base.replace('http:', 'https:');
  }, 300_000);
  afterAll(stopAll);

  it('believes the proxy, and impersonates the person without groups of Kubernetes itself', async () => {
    const options = { headers: forged, client: proxy };
    expect(JSON.parse((await ask('/api/auth/me', options)).text)).toEqual({ user: 'jo' });
    expect((await ask('/api/kube/api/v1/namespaces/kube-system/secrets', options)).status).toBe(403);
  });

  it.each([
    ['no certificate', {}],
    [
      'a certificate of another authority',
      { client: clientAuthority('others', systemClock.now()).issue({ commonName: 'front-proxy' }) },
    ],
    ['a certificate with another name', { client: authority.issue({ commonName: 'somebody' }) }],
  ])('believes nobody with %s, and answers probes all the same', async (_, options) => {
    expect(JSON.parse((await ask('/api/auth/me', { headers: forged, ...options })).text)).toEqual({ user: null });
    const refused = await ask('/api/packages', { headers: forged, ...options });
    expect(refused.status).toBe(401);
    expect(JSON.parse(refused.text)).toMatchObject({ reason: 'SignInNeeded' });
    expect((await ask('/api/health', options)).status).toBe(200);
  });
});
