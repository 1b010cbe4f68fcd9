import { describe, expect, it } from 'vitest';
import { readAddedKubeconfig } from './added-kubeconfig';

const kubeconfig = (parts: { cluster?: object; user?: object; current?: string } = {}) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': parts.current ?? 'live',
    contexts: ['live', 'other'].map((name) => ({ name, context: { cluster: name, user: name } })),
    clusters: ['live', 'other'].map((name) => ({
      name,
      cluster: { server: `https://${name}.example.org:6443`, ...parts.cluster },
    })),
    users: ['live', 'other'].map((name) => ({ name, user: { token: `token of ${name}`, ...parts.user } })),
  });

describe('a kubeconfig that a person adds', () => {
  it('is kept with the one context that is used', () => {
    const { config, server, context } = readAddedKubeconfig(kubeconfig(), undefined);
    expect([server, context]).toEqual(['https://live.example.org:6443', 'live']);
    expect(JSON.stringify(config)).not.toContain('other');
    expect(readAddedKubeconfig(kubeconfig(), 'other').server).toBe('https://other.example.org:6443');
  });

  it.each([
    [{ user: { exec: { command: 'sh' } } }, 'has exec, which starts a program'],
    [{ user: { 'auth-provider': { name: 'gcp' } } }, 'has auth-provider, which starts a program'],
    [{ user: { tokenFile: '/etc/passwd' } }, 'names a file in tokenFile. Put its content into token'],
    [{ user: { 'client-key': '/etc/shadow' } }, 'names a file in client-key. Put its content into client-key-data'],
    [{ cluster: { 'certificate-authority': 'ca.crt' } }, 'names a file in certificate-authority'],
    [{ cluster: { 'proxy-url': 'http://10.0.0.1' } }, 'has a proxy-url'],
    [{ user: { as: 'system:admin' } }, 'impersonates another one'],
    [{ cluster: { server: 'http://live.example.org' } }, 'is not https'],
    [{ cluster: { server: 'https://user:secret@live.example.org' } }, 'no server with a valid URL'],
    [{ cluster: { server: 'https://169.254.169.254' } }, 'link-local address'],
    [{ cluster: { server: 'https://[fe80::1]:443' } }, 'link-local address'],
    [{ cluster: { server: 'https://0xa9fea9fe/' } }, 'link-local address'],
    [{ cluster: { server: 'https://[::ffff:169.254.169.254]/' } }, 'link-local address'],
    [{ cluster: { server: 'https://metadata.google.internal' } }, 'metadata service'],
    [{ cluster: { server: 'https://metadata.google.internal.' } }, 'metadata service'],
    [{ cluster: { server: 'https://169.254.169.254./' } }, 'link-local address'],
    [{ current: 'gone' }, 'has no context gone. Choose one of: live, other.'],
  ])('is refused: %j', (parts, message) => {
    expect(() => readAddedKubeconfig(kubeconfig(parts), undefined)).toThrow(message);
  });

  it.each([
    ['', 'This is not a kubeconfig'],
    ['{', 'The kubeconfig is not YAML'],
    ['kind: Pod', 'This is not a kubeconfig: kind is not Config.'],
    ['kind: Config', 'has no current context. Choose one of: it has none.'],
    [`kind: Config\n# ${'x'.repeat(300_000)}`, 'larger than 256 KiB'],
  ])('must be one: %.20s', (text, message) => {
    expect(() => readAddedKubeconfig(text, undefined)).toThrow(message);
  });

  it('says nothing of its credentials in an error', () => {
    const text = kubeconfig({ user: { token: 'secret-canary', exec: {} } });
    expect(() => readAddedKubeconfig(text, undefined)).not.toThrow('secret-canary');
  });
});
