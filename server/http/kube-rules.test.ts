import { describe, expect, it } from 'vitest';
import { parseKubePath } from './kube-path';
import { checkKubeRequest, incomingHeaders, outgoingHeaders, rebuildQuery } from './kube-rules';

const check = (method: string, path: string) => checkKubeRequest(method, parseKubePath(path.split('/')));

describe('checkKubeRequest', () => {
  it.each([
    ['GET', 'api/v1/namespaces/a/pods/b/log'],
    ['PUT', 'apis/kudo.dev/v1beta1/namespaces/a/instances/b/status'],
    ['PATCH', 'apis/apps/v1/namespaces/a/deployments/b/scale'],
    ['POST', 'api/v1/namespaces/a/pods/b/eviction'],
    ['POST', 'apis/authorization.k8s.io/v1/selfsubjectaccessreviews'],
    ['DELETE', 'api/v1/namespaces/a'],
    ['GET', 'version'],
  ])('lets %s %s pass', (method, path) => {
    expect(() => check(method, path)).not.toThrow();
  });

  it.each([
    ['GET', 'api/v1/namespaces/a/pods/b/exec'],
    ['POST', 'api/v1/namespaces/a/pods/b/exec'],
    ['GET', 'api/v1/namespaces/a/pods/b/attach'],
    ['GET', 'api/v1/namespaces/a/pods/b/portforward'],
    ['GET', 'api/v1/namespaces/a/pods/b/proxy'],
    ['GET', 'api/v1/namespaces/a/services/b/proxy'],
    ['GET', 'api/v1/nodes/a/proxy'],
    ['POST', 'api/v1/namespaces/a/serviceaccounts/b/token'],
    ['PUT', 'api/v1/namespaces/a/finalize'],
    ['PUT', 'apis/x.test/v1/namespaces/a/things/b/finalize'],
    ['POST', 'api/v1/namespaces/a/pods/b/binding'],
    ['PATCH', 'api/v1/namespaces/a/pods/b/ephemeralcontainers'],
    ['POST', 'api/v1/namespaces/a/pods/b/log'],
    ['POST', 'version'],
    ['TRACE', 'api/v1/pods'],
    ['CONNECT', 'api/v1/pods'],
  ])('refuses %s %s', (method, path) => {
    expect(() => check(method, path)).toThrow(/does not allow|only be read/);
  });
});

describe('outgoingHeaders', () => {
  it('passes nothing but the six, whatever else comes', () => {
    const headers = new Headers({
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
      'content-type': 'application/json',
      'if-match': '"1"',
      'if-none-match': '"2"',
      traceparent: '00-a-b-01',
      'user-agent': 'browser',
      authorization: 'Bearer stolen',
      cookie: 'a=b',
      'impersonate-user': 'admin',
      'impersonate-group': 'system:masters',
      'impersonate-extra-scopes': 'x',
      'x-remote-user': 'admin',
      'x-remote-group': 'system:masters',
      'x-forwarded-for': '1.2.3.4',
      x_remote_user: 'admin',
      'proxy-authorization': 'Basic x',
      upgrade: 'websocket',
      te: 'trailers',
    });
    expect(outgoingHeaders(headers)).toEqual({
      'user-agent': 'bravo-console',
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
      'content-type': 'application/json',
      'if-match': '"1"',
      'if-none-match': '"2"',
      traceparent: '00-a-b-01',
    });
  });

  it('drops what Connection declares to be for one hop', () => {
    expect(outgoingHeaders(new Headers({ connection: 'Impersonate-User, Accept', accept: 'text/plain' }))).toEqual({
      'user-agent': 'bravo-console',
    });
  });

  it('drops values that are too long or not plain text', () => {
    const headers = new Headers({ accept: 'a'.repeat(2000), 'if-match': '\u00e9' });
    expect(outgoingHeaders(headers)).toEqual({ 'user-agent': 'bravo-console' });
  });
});

describe('incomingHeaders', () => {
  it('passes the listed ones and no cookie, location or server name', () => {
    expect(
      incomingHeaders({
        'Content-Type': 'application/json',
        ETag: '"a"',
        'set-cookie': 'x=y',
        location: 'https://evil.test',
        server: 'x',
        'access-control-allow-origin': '*',
        warning: '299 - "old"',
      }),
    ).toEqual({ 'content-type': 'application/json', etag: '"a"', warning: '299 - "old"' });
  });

  it.each(['text/html', 'image/svg+xml', 'application/xhtml+xml', 'text/javascript'])('defuses %s', (type) => {
    expect(incomingHeaders({ 'content-type': type })).toEqual({ 'content-type': 'application/octet-stream' });
  });
});

describe('rebuildQuery', () => {
  it('writes known parameters anew', () => {
    expect(rebuildQuery(new URLSearchParams('watch=1&labelSelector=a%3Db,c%20in%20(d)'))).toBe(
      '?watch=1&labelSelector=a%3Db%2Cc+in+%28d%29',
    );
    expect(rebuildQuery(new URLSearchParams())).toBe('');
  });

  it.each([
    'insecureSkipTLSVerifyBackend=true',
    'ignoreStoreReadErrorWithClusterBreakingPotential=true',
    'as=admin',
    'path=x',
  ])('refuses %s', (query) => {
    expect(() => rebuildQuery(new URLSearchParams(query))).toThrow(/is not allowed by/);
  });
});
