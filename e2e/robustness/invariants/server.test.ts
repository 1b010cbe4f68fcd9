import { describe, expect, it } from 'vitest';
import type { JsonValue } from '@/lib/json/json';
import { cacheTruth } from './cache-truth';
import type { Delivery, Fact, StoreChange } from './fact';
import { appliedConfigMap, violationsOf } from './facts-fixture';
import { oneWriter } from './one-writer';
import { watchGuarantees } from './watch-guarantees';

describe('I7, one writer', () => {
  const call = (method: string, body: JsonValue, holder = 'a', path = '/api/v1/namespaces/ns/configmaps/one'): Fact => {
    return { fact: 'call', atMs: 0, by: 'a', holder, method, path, body: JSON.stringify(body), status: 200 };
  };
  const put = { metadata: { resourceVersion: '7' } };

  it('reports a write of a process that does not hold the lease', () => {
    expect(violationsOf(oneWriter, [call('PUT', put)])).toEqual([]);
    expect(violationsOf(oneWriter, [call('PUT', put, 'b')])[0]).toContain('took effect while b led');
    expect(
      violationsOf(oneWriter, [call('PUT', put, 'b', '/apis/coordination.k8s.io/v1/namespaces/x/leases/y')]),
    ).toEqual([]);
  });

  it('reports a write that is not conditional', () => {
    expect(violationsOf(oneWriter, [call('PUT', { metadata: {} })])[0]).toContain('is not conditional');
    expect(violationsOf(oneWriter, [call('PATCH', { data: { a: 'b' } })])[0]).toContain('is not conditional');
    expect(violationsOf(oneWriter, [call('PATCH', put)])).toEqual([]);
    expect(violationsOf(oneWriter, [call('DELETE', { kind: 'DeleteOptions' })])[0]).toContain('is not conditional');
    expect(violationsOf(oneWriter, [call('DELETE', { preconditions: { uid: 'x' } })])).toEqual([]);
  });
});

describe('I8, true caches', () => {
  it('reports an object that a copy lacks, holds in an old version, or holds after its deletion', () => {
    const truth = new Map([
      ['ns/a', '1'],
      ['ns/b', '2'],
    ]);
    const copy = (...held: [string, string][]): Fact => ({ fact: 'copy', of: 'a cache', held: new Map(held), truth });
    expect(violationsOf(cacheTruth, [copy(['ns/a', '1'], ['ns/b', '2'])])).toEqual([]);
    expect(violationsOf(cacheTruth, [copy(['ns/a', '1'])])).toEqual(['I8: a cache lacks ns/b']);
    expect(violationsOf(cacheTruth, [copy(['ns/a', '0'], ['ns/b', '2'])])).toEqual([
      'I8: a cache holds ns/a at 0, it is at 1',
    ]);
    expect(violationsOf(cacheTruth, [copy(['ns/a', '1'], ['ns/b', '2'], ['ns/c', '3'])])).toHaveLength(1);
  });
});

describe('I9, watch', () => {
  const stored = (version: number, labels: { [name: string]: string } = {}): StoreChange => {
    const object = { ...appliedConfigMap('one'), metadata: { name: 'one', resourceVersion: String(version), labels } };
    return { fact: 'change', atMs: 0, type: 'MODIFIED', resource: '/configmaps', object, before: undefined };
  };
  const sent = (version: number, type: Delivery['type'] = 'MODIFIED', labelSelector = ''): Delivery => {
    return { fact: 'delivery', watch: 1, resource: '/configmaps', labelSelector, from: 10, type, revision: version };
  };
  const check = (...facts: Fact[]) => violationsOf(watchGuarantees, facts);

  it('accepts events that are complete and in order', () => {
    expect(check(stored(11), sent(11), stored(12), sent(12), sent(12, 'BOOKMARK'))).toEqual([]);
    expect(check(stored(11), stored(12, { a: 'b' }), sent(12, 'MODIFIED', 'a=b'))).toEqual([]);
  });

  it('reports events that are out of order, sent twice, or older than the resourceVersion of the request', () => {
    expect(check(stored(11), stored(12), sent(11), sent(12), sent(11))).toHaveLength(1);
    expect(check(stored(11), sent(11), sent(11))).toHaveLength(1);
    expect(check(sent(9))).toHaveLength(1);
  });

  it('reports an event that was left out, and a bookmark that promises more than was sent', () => {
    expect(check(stored(11), stored(12), sent(12))).toEqual([
      'I9: watch 1 of /configmaps was not sent 11, but MODIFIED 12',
    ]);
    expect(check(stored(11), sent(11, 'BOOKMARK'))).toEqual([
      'I9: watch 1 of /configmaps was not sent 11, but BOOKMARK 11',
    ]);
  });
});
