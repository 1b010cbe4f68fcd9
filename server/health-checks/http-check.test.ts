import { describe, expect, it } from 'vitest';
import type { HealthCheck } from '@/lib/kudo/health-checks/types';
import type { Api } from '@/server/kube/api';
import { httpCheck } from './http-check';

const CHECK: HealthCheck = {
  name: 'web',
  kind: 'http',
  mode: 'all',
  port: '80',
  path: '/a b',
  periodMs: 1,
  timeoutMs: 1,
};

/** The outcome of a check whose request is answered so. */
async function check(status: number, body = '', contentType = 'text/html', more: Partial<HealthCheck> = {}) {
  const paths: string[] = [];
  const api = {
    raw: async ({ path }: { path: string }) => {
      paths.push(path);
      const text = (async function* () {
        yield Buffer.from(body);
      })();
      return { status, headers: { 'content-type': contentType }, body: text };
    },
  } as unknown as Api;
  const pod = { group: '', version: 'v1', resource: 'pods', namespace: 'shop', name: 'web-1' };
  const signal = new AbortController().signal;
  return { paths, outcome: await httpCheck({ api, check: { ...CHECK, ...more }, pod, signal }) };
}

const failure = (code: number, message: string) =>
  JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', message, code });

describe('a health check over HTTP', () => {
  it('asks the pod through the API server and passes with 200 to 399', async () => {
    const { paths, outcome } = await check(204);
    expect(paths).toEqual(['/api/v1/namespaces/shop/pods/web-1:80/proxy/a%20b']);
    expect(outcome).toEqual({ verdict: 'Passing', message: 'HTTP 204', pod: 'web-1' });
    expect((await check(302, '', '', { scheme: 'https' })).paths[0]).toContain('/pods/https:web-1:80/proxy/');
  });

  it('shows a plain text of one line', async () => {
    expect((await check(200, 'leader, 2 followers\n', 'text/plain; charset=utf-8')).outcome.message).toBe(
      'leader, 2 followers',
    );
    expect((await check(200, 'a\nb\n', 'text/plain')).outcome.message).toBe('HTTP 200');
    expect((await check(200, '<h1>a</h1>')).outcome.message).toBe('HTTP 200');
  });

  it('fails with the code that the pod answers', async () => {
    expect((await check(503, 'no')).outcome).toMatchObject({ verdict: 'Failing', message: 'HTTP 503' });
    expect((await check(404, failure(500, 'not of this answer'))).outcome.verdict).toBe('Failing');
  });

  it('fails when nothing listens, with the message of the operator', async () => {
    const refused = failure(503, 'error trying to reach service: dial tcp 10.0.0.1:80: connect: connection refused');
    expect((await check(503, refused, 'application/json', { message: 'The page is down.' })).outcome).toMatchObject({
      verdict: 'Failing',
      message: 'The page is down',
    });
  });

  it('is not known when the API server cannot reach the pod, or does not allow it', async () => {
    const late = failure(503, 'error trying to reach service: dial tcp 10.0.0.1:80: i/o timeout');
    await expect(check(503, late)).rejects.toThrow('i/o timeout');
    await expect(check(403, failure(403, 'pods "web-1" is forbidden'))).rejects.toThrow('is forbidden');
  });
});
