import { describe, expect, it } from 'vitest';
import { readConfig } from './config';

const dir = '/srv/bravo';
const oidc = {
  BRAVO_AUTH: 'oidc',
  BRAVO_URL: 'https://bravo.example.org',
  BRAVO_OIDC_ISSUER: 'https://id.example.org',
  BRAVO_OIDC_CLIENT_ID: 'bravo',
};

const proxy = { BRAVO_AUTH: 'proxy', BRAVO_PROXY_ADDRESSES: '10.0.0.1' };

describe('the settings of sign-in', () => {
  it('let the console listen on every address only with a sign-in, without a public name for a port-forward', () => {
    expect(() => readConfig({ BRAVO_HOST: '0.0.0.0' }, dir)).toThrow(/BRAVO_HOST: .*choose a sign-in with BRAVO_AUTH/);
    expect(readConfig({ BRAVO_HOST: '0.0.0.0', BRAVO_AUTH: 'token' }, dir).auth.publicUrl).toBeUndefined();
    expect(() =>
      readConfig({ BRAVO_HOST: '0.0.0.0', BRAVO_AUTH: 'token', BRAVO_URL: 'https://bravo.example.org/x' }, dir),
    ).toThrow(/BRAVO_URL: .* another path than BRAVO_BASE_PATH/);
    const config = readConfig(
      { BRAVO_HOST: '0.0.0.0', BRAVO_AUTH: 'token', BRAVO_URL: 'https://bravo.example.org/' },
      dir,
    );
    expect(config.auth.publicUrl).toBe('https://bravo.example.org');
  });

  it.each([
    [{ BRAVO_AUTH: 'ldap' }, /BRAVO_AUTH: "ldap" is not one of kubeconfig, token, oidc, proxy/],
    [{ BRAVO_AUTH: 'token', BRAVO_URL: 'bravo' }, /BRAVO_URL: "bravo" is not a URL/],
    [{ BRAVO_AUTH: 'token', BRAVO_URL: 'http://bravo.example.org' }, /unencrypted; use https/],
    [{ BRAVO_AUTH: 'token', BRAVO_URL: 'https://bravo.example.org/x' }, /give it as https:\/\/bravo.example.org/],
    [{ BRAVO_SESSION_IDLE: '10' }, /BRAVO_SESSION_IDLE: "10" is not a duration/],
    [{ ...oidc, BRAVO_URL: '' }, /BRAVO_URL: is required with BRAVO_AUTH=oidc/],
    [{ ...oidc, BRAVO_OIDC_ISSUER: 'http://id.example.org' }, /BRAVO_OIDC_ISSUER: .* is not an https URL/],
    [{ ...oidc, BRAVO_OIDC_CLIENT_ID: '' }, /BRAVO_OIDC_CLIENT_ID: is required/],
    [
      { BRAVO_AUTH: 'proxy', BRAVO_PROXY_ADDRESSES: '10.0.0.0/64', BRAVO_PROXY_SECRET_FILE: '/x' },
      /"10.0.0.0\/64" is not/,
    ],
    [{ ...proxy }, /BRAVO_PROXY_SECRET_FILE: is required.*; or give the authority .* BRAVO_PROXY_CLIENT_CA/],
    [{ ...proxy, BRAVO_PROXY_CLIENT_CA: '/ca' }, /BRAVO_PROXY_CLIENT_CA: .* set BRAVO_TLS_CERT and BRAVO_TLS_KEY/],
    [{ ...proxy, BRAVO_PROXY_CLIENT_CA: '/ca', BRAVO_TLS_CERT: '/c' }, /^BRAVO_TLS_KEY: name the file [^\n]*$/],
    [{ ...proxy, BRAVO_PROXY_SECRET_FILE: '/x', BRAVO_PROXY_CLIENT_NAMES: 'a' }, /NAMES: .* set BRAVO_PROXY_CLIENT_CA/],
    [
      { ...proxy, BRAVO_PROXY_CLIENT_CA: '/ca', BRAVO_PROXY_CLIENT_NAMES: 'a,,b' },
      /BRAVO_PROXY_CLIENT_NAMES: "a,,b" has an empty name/,
    ],
  ])('refuse %j', (environment, message) => {
    expect(() => readConfig(environment, dir)).toThrow(message);
  });

  it('let a proxy prove itself by a certificate, a secret, or both', () => {
    const files = { BRAVO_TLS_CERT: 'c.pem', BRAVO_TLS_KEY: 'k.pem', BRAVO_PROXY_CLIENT_CA: '/ca.pem' };
    const named = readConfig({ ...proxy, ...files, BRAVO_PROXY_CLIENT_NAMES: 'front-proxy, p.example.org' }, dir);
    expect(named.tls).toEqual({ certFile: `${dir}/c.pem`, keyFile: `${dir}/k.pem`, clientCaFile: '/ca.pem' });
    expect(named.auth).toMatchObject({
      proxy: { secretFile: undefined, clientNames: ['front-proxy', 'p.example.org'] },
    });
    const both = readConfig({ ...proxy, ...files, BRAVO_PROXY_SECRET_FILE: '/x' }, dir);
    expect(both.auth).toMatchObject({ proxy: { secretFile: '/x', clientCaFile: '/ca.pem', clientNames: [] } });
    expect(readConfig({ ...files, BRAVO_AUTH: 'token' }, dir).tls?.clientCaFile).toBeUndefined();
  });

  it('have the defaults of kube-apiserver for claims and prefixes', () => {
    expect(readConfig(oidc, dir).auth).toMatchObject({
      oidc: { use: 'token', usernameClaim: 'sub', usernamePrefix: 'https://id.example.org#', groupsClaim: 'groups' },
    });
    expect(readConfig({ ...oidc, BRAVO_OIDC_USERNAME_CLAIM: 'email' }, dir).auth).toMatchObject({
      oidc: { usernamePrefix: '' },
    });
  });
});
