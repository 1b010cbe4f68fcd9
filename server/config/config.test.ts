import { describe, expect, it } from 'vitest';
import { readConfig } from './config';

const dir = '/srv/bravo';

describe('readConfig', () => {
  it('gives the documented defaults for an empty environment', () => {
    expect(readConfig({}, dir)).toEqual({
      host: '127.0.0.1',
      port: 3000,
      basePath: '',
      pagesDir: '.next',
      sandboxPort: 6440,
      dataDir: '/srv/bravo/.bravo',
      kubeconfigPath: undefined,
      context: undefined,
      controller: 'auto',
      namespaces: [],
    });
  });

  it("counts the sandbox's own kubeconfig as unset", () => {
    expect(readConfig({ KUBECONFIG: '.bravo/kubeconfig' }, dir).kubeconfigPath).toBeUndefined();
    expect(readConfig({ KUBECONFIG: '/home/me/.kube/config' }, dir).kubeconfigPath).toBe('/home/me/.kube/config');
  });

  it('names every mistake in one error', () => {
    const read = () => readConfig({ PORT: 'abc', BRAVO_SANDBOX_PORT: '70000', BRAVO_CONTROLLER: 'yes' }, dir);
    expect(read).toThrow(/PORT: "abc" is not a port[\s\S]*BRAVO_SANDBOX_PORT: "70000"[\s\S]*BRAVO_CONTROLLER: "yes"/);
  });

  it.each(['/bravo', '/tools/bravo-1.0_x'])('takes the base path %s', (path) => {
    expect(readConfig({ BRAVO_BASE_PATH: path }, dir).basePath).toBe(path);
  });

  it.each(['bravo', '/', '/bravo/', '//evil.test', '/..', '/a b', '/a%2f', '/a?b'])(
    'refuses the base path %s',
    (path) => {
      expect(() => readConfig({ BRAVO_BASE_PATH: path }, dir)).toThrow(/BRAVO_BASE_PATH: ".*" is not a path such as/);
    },
  );

  it.each(['0.0.0.0', '192.168.1.2', 'example.org'])('refuses to listen on %s', (host) => {
    expect(() => readConfig({ BRAVO_HOST: host }, dir)).toThrow(/without sign-in/);
  });
});
