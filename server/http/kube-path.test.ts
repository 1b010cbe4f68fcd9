import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseKubePath } from './kube-path';

const read = (path: string) => parseKubePath(path.split('/'));

describe('parseKubePath', () => {
  it.each([
    ['api/v1/pods', { resource: 'pods', group: '', namespace: undefined, name: undefined }],
    ['api/v1/namespaces/demo/pods/a/log', { resource: 'pods', namespace: 'demo', name: 'a', subresource: 'log' }],
    ['api/v1/namespaces/demo', { resource: 'namespaces', namespace: undefined, name: 'demo' }],
    ['api/v1/namespaces/demo/status', { resource: 'namespaces', name: 'demo', subresource: 'status' }],
    ['api/v1/namespaces/demo/finalize', { resource: 'namespaces', name: 'demo', subresource: 'finalize' }],
    ['apis/kudo.dev/v1beta1/instances', { group: 'kudo.dev', resource: 'instances', namespace: undefined }],
    ['apis/apps/v1/namespaces/demo/deployments/web/scale', { resource: 'deployments', subresource: 'scale' }],
    ['apis/rbac.authorization.k8s.io/v1/clusterroles/system:node', { resource: 'clusterroles', name: 'system:node' }],
    ['apis/events.k8s.io/v1/namespaces/a/events/x.17b', { resource: 'events', namespace: 'a', name: 'x.17b' }],
  ])('reads %s', (path, expected) => {
    expect(read(path)).toMatchObject({ kind: 'resource', ...expected });
  });

  it.each(['version', 'api', 'apis', 'readyz', 'api/v1', 'apis/apps', 'apis/apps/v1', 'openapi/v2', 'openapi/v3'])(
    'reads the document %s',
    (path) => {
      expect(read(path)).toEqual({ kind: 'document', path: `/${path}` });
    },
  );

  it.each(['openapi/v3/api/v1', 'openapi/v3/apis/kudo.dev/v1beta1', 'openapi/v3/apis'])(
    'reads the schema %s',
    (path) => {
      expect(read(path)).toEqual({ kind: 'document', path: `/${path}` });
    },
  );

  it.each(
    [
      '',
      'metrics',
      'logs',
      'debug/pprof',
      '.well-known/openid-configuration',
      'api/v1/..',
      'api/v1/../../metrics',
      'api/v1/./pods',
      'api/v1//pods',
      'api/v1/pods/',
      'api/v1/%2e%2e/metrics',
      'api/v1/%252e%252e/metrics',
      'api/v1/namespaces/de%2fmo/pods',
      'api/v1/namespaces/DEMO/pods',
      'api/v1/namespaces/demo/pods/a\\b',
      'api/v1/namespaces/demo/pods/a;b',
      'api/v1/namespaces/demo/pods/a?b',
      'api/v1/namespaces/demo/pods/a#b',
      'api/v1/namespaces/demo/pods/a\u0000b',
      'api/v1/namespaces/demo/pods/a\r\nHost: evil',
      'api/v1/namespaces/demo/pods/ａ',
      'api/v1/namespaces/demo/pods/a/log/more',
      'api/v1/watch/pods',
      'api/v1/proxy/nodes/a',
      'api/v1/namespaces/demo/services/a/proxy/admin/x',
      'apis/kudo.dev',
      'apis/kudo.dev/../v1',
      'apis/kudo.dev/latest/instances',
      'apis/-x/v1/instances',
      'openapi/v3/apis/a/v1/more',
      'openapi/v3/../../metrics',
      'openapi/v1',
      'API/v1/pods',
    ].filter((path) => path !== 'apis/kudo.dev'),
  )('refuses %j', (path) => {
    expect(() => read(path)).toThrow(/not one of a Kubernetes API request/);
  });

  it('writes only paths that a URL parser leaves as they are', () => {
    const segment = fc.oneof(
      fc.constantFrom(
        'api',
        'apis',
        'v1',
        'namespaces',
        'demo',
        'pods',
        'a',
        'status',
        'openapi',
        'v3',
        '..',
        '%2e',
        'kudo.dev',
      ),
      fc.string({ maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 9 }), (segments) => {
        let path: string;
        try {
          ({ path } = parseKubePath(segments));
        } catch {
          return;
        }
        expect(new URL(path, 'https://cluster.test').pathname).toBe(path);
        expect(path).toMatch(/^\/(api|apis|openapi|version|healthz|livez|readyz)(\/|$)/);
        expect(path.split('/').slice(1).map(decodeURIComponent)).toEqual(segments);
      }),
      { numRuns: 5000 },
    );
  });
});
