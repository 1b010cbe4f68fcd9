import { describe, expect, it } from 'vitest';
import { parseRequest } from '../rbac/request-info';
import { metricsText, RequestMetrics } from './request-metrics';

const read = (method: string, path: string) => parseRequest(method, path, new URLSearchParams());
const ONE_COMMIT = { commits: 1, writes: 3 };

describe('the metrics of the sandbox', () => {
  it('count requests by verb, resource, subresource and code', () => {
    const metrics = new RequestMetrics();
    const status = '/apis/kudo.dev/v1beta1/namespaces/a/instances/x/status';
    metrics.count(read('PUT', status), 200);
    metrics.count(read('PUT', status), 200);
    metrics.count(read('PUT', status), 409);
    metrics.count(read('POST', '/api/v1/namespaces/a/configmaps'), 201);
    expect(metrics.lines()).toEqual([
      'apiserver_request_total{code="200",group="kudo.dev",resource="instances",subresource="status",verb="PUT"} 2',
      'apiserver_request_total{code="201",group="",resource="configmaps",subresource="",verb="POST"} 1',
      'apiserver_request_total{code="409",group="kudo.dev",resource="instances",subresource="status",verb="PUT"} 1',
    ]);
  });

  it('count requests without a resource, and those that could not be read', () => {
    const metrics = new RequestMetrics();
    metrics.count(read('GET', '/version'), 200);
    metrics.count(undefined, 401);
    expect(metrics.lines()).toEqual([
      'apiserver_request_total{code="200",group="",resource="",subresource="",verb="GET"} 1',
      'apiserver_request_total{code="401",group="",resource="",subresource="",verb="GET"} 1',
    ]);
  });

  it('cannot be broken by a name, nor filled by many', () => {
    const metrics = new RequestMetrics();
    metrics.count(read('GET', '/api/v1/bad%22name%0A'), 404);
    expect(metrics.lines()).toEqual([
      'apiserver_request_total{code="404",group="",resource="bad_name_",subresource="",verb="LIST"} 1',
    ]);
    for (let index = 0; index < 3_000; index++) metrics.count(read('GET', `/api/v1/made-up-${index}`), 404);
    expect(metrics.lines().length).toBeLessThan(2_010);
  });

  it('say how many writes shared how many commits', () => {
    const text = metricsText(new RequestMetrics(), ONE_COMMIT);
    expect(text).toContain('\nbravo_store_commits_total 1\n');
    expect(text).toContain('\nbravo_store_writes_total 3\n');
  });
});
