import type { IncomingMessage } from 'node:http';
import { BlockList } from 'node:net';
import { describe, expect, it } from 'vitest';
import { claimedPerson } from './claimed-person';
import { clientAddress } from './client-address';
import { proxyPerson } from './proxy-person';

const SECRET = 'a-secret-of-the-proxy';
const addresses = new BlockList();
addresses.addSubnet('10.1.0.0', 16, 'ipv4');
const settings = {
  addresses,
  ...{ secretFile: '/unused', clientCaFile: undefined, clientNames: [] },
  userHeader: 'x-remote-user',
  groupsHeader: 'x-remote-group',
  signOutUrl: undefined,
};
const good = { 'x-remote-user': ['jo'], 'x-remote-group': ['devs, ops', 'team-a'], 'x-bravo-proxy-secret': [SECRET] };

const bySecret = { secret: SECRET, showsCertificate: undefined };

function request(headers: { [name: string]: string[] }, remoteAddress = '10.1.2.3'): IncomingMessage {
  const joined = Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, values.join(', ')]));
  return { headersDistinct: headers, headers: joined, socket: { remoteAddress } } as unknown as IncomingMessage;
}

describe('proxyPerson', () => {
  it('believes the proxy, and takes its headers away', () => {
    const incoming = request(good);
    expect(proxyPerson(incoming, settings, bySecret)).toEqual({ name: 'jo', groups: ['devs', 'ops', 'team-a'] });
    expect(incoming.headers).toEqual({});
  });

  it('reads names as UTF-8, and an IPv4 address of an IPv6 socket', () => {
    const name = Buffer.from('Jörg', 'utf8').toString('latin1');
    const incoming = request({ ...good, 'x-remote-user': [name] }, '::ffff:10.1.2.3');
    expect(proxyPerson(incoming, settings, bySecret)?.name).toBe('Jörg');
  });

  it.each([
    ['from another address', request(good, '10.2.0.1')],
    ['without the secret', request({ ...good, 'x-bravo-proxy-secret': [] })],
    ['with a wrong secret', request({ ...good, 'x-bravo-proxy-secret': ['a-secret-of-somebody'] })],
    ['with two secrets', request({ ...good, 'x-bravo-proxy-secret': [SECRET, 'x'] })],
    ['without a user', request({ ...good, 'x-remote-user': [] })],
    ['with two users', request({ ...good, 'x-remote-user': ['jo', 'admin'] })],
  ])('believes nobody %s, and takes the headers away', (_, incoming) => {
    expect(proxyPerson(incoming, settings, bySecret)).toBeUndefined();
    expect(incoming.headers).toEqual({});
  });

  it.each([
    ['nobody without any proof', undefined, undefined, good, undefined],
    ['a certificate, where no secret is set', undefined, true, { ...good, 'x-bravo-proxy-secret': [] }, 'jo'],
    ['nobody without the certificate, where no secret is set', undefined, false, good, undefined],
    ['secret and certificate together', SECRET, true, good, 'jo'],
    ['nobody with the secret alone, where both are set', SECRET, false, good, undefined],
    [
      'nobody with the certificate alone, where both are set',
      SECRET,
      true,
      { ...good, 'x-bravo-proxy-secret': [] },
      undefined,
    ],
  ])('believes %s', (_, secret, shows, headers, name) => {
    const showsCertificate = shows === undefined ? undefined : () => shows;
    expect(proxyPerson(request(headers), settings, { secret, showsCertificate })?.name).toBe(name);
    expect(proxyPerson(request(headers, '10.2.0.1'), settings, { secret, showsCertificate })).toBeUndefined();
  });

  it('refuses users of Kubernetes itself, and leaves out its groups', () => {
    const asAdmin = request({ ...good, 'x-remote-user': ['system:admin'] });
    expect(() => proxyPerson(asAdmin, settings, bySecret)).toThrow(/not a name that a person may sign in with/);
    const withMasters = request({ ...good, 'x-remote-group': ['system:masters', 'devs'] });
    expect(proxyPerson(withMasters, settings, bySecret)?.groups).toEqual(['devs']);
  });
});

describe('claimedPerson', () => {
  const oidc = {
    issuer: 'https://id.example.org',
    clientId: 'bravo',
    clientSecretFile: undefined,
    scopes: 'openid',
    use: 'impersonate' as const,
    usernameClaim: 'email',
    usernamePrefix: '',
    groupsClaim: 'groups',
    groupsPrefix: '',
  };

  it('never gives a group of Kubernetes itself, whatever the provider says', () => {
    const claims = { email: 'jo@example.org', groups: ['system:masters', 'devs', 7] };
    expect(claimedPerson(claims, oidc)).toEqual({ name: 'jo@example.org', groups: ['devs'] });
  });

  it('refuses an email that is not verified, and a token without the claim', () => {
    expect(() => claimedPerson({ email: 'jo@example.org', email_verified: false }, oidc)).toThrow(/not verified/);
    expect(() => claimedPerson({ sub: 'jo' }, oidc)).toThrow(/no claim email/);
  });
});

describe('clientAddress', () => {
  const forwarded = (chain: string, remote: string) => request({ 'x-forwarded-for': [chain] }, remote);

  it('believes X-Forwarded-For of a trusted proxy only, and of it the last address that is no proxy', () => {
    expect(clientAddress(forwarded('1.1.1.1', '9.9.9.9'), addresses)).toBe('9.9.9.9');
    expect(clientAddress(forwarded('1.1.1.1', '10.1.0.1'), undefined)).toBe('10.1.0.1');
    expect(clientAddress(forwarded('6.6.6.6, 2.2.2.2, 10.1.0.9', '10.1.0.1'), addresses)).toBe('2.2.2.2');
    expect(clientAddress(forwarded('', '10.1.0.1'), addresses)).toBe('10.1.0.1');
    expect(clientAddress(forwarded('2.2.2.2:4711', '10.1.0.1'), addresses)).toBe('2.2.2.2');
    expect(clientAddress(forwarded('[2001:db8::1]:4711', '10.1.0.1'), addresses)).toBe('2001:db8::1');
    expect(clientAddress(forwarded('Bearer token', '10.1.0.1'), addresses)).toBe('10.1.0.1');
  });
});
