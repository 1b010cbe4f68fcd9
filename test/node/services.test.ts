import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { readQuestion, TYPE_A, writeAnswer } from './dns-message';
import { addressesOf } from './dns-records';
import { findImage } from './images';
import { serviceRules } from './service-rules';

function service(name: string, clusterIP: string): KubeObject {
  return {
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name, namespace: 'shop' } },
    spec: { clusterIP, ports: [{ name: 'http', port: 80 }] },
  };
}

function slice(of: string, endpoints: JsonObject[]): KubeObject {
  const labels = { 'kubernetes.io/service-name': of };
  const metadata = { name: `${of}-1`, namespace: 'shop', labels };
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata,
    ports: [{ name: 'http', port: 8080 }],
    endpoints,
  };
}

const objects = {
  services: [service('web', '10.0.0.9'), service('members', 'None'), service('alone', '10.0.0.8')],
  slices: [
    slice('web', [
      { addresses: ['10.200.0.2'], conditions: { ready: true } },
      { addresses: ['10.200.0.3'], conditions: { ready: false } },
    ]),
    slice('members', [
      { addresses: ['10.200.0.4'], hostname: 'db-0', conditions: { ready: true } },
      { addresses: ['10.200.0.5'], hostname: 'db-1', conditions: { ready: true } },
    ]),
  ],
};

describe('the addresses of a name', () => {
  const addresses = (name: string) => addressesOf(name, objects);

  it('of a Service are its own, of a headless one those of its pods', () => {
    expect(addresses('web.shop.svc.cluster.local')).toEqual(['10.0.0.9']);
    expect(addresses('Members.shop.svc.cluster.local.')).toEqual(['10.200.0.4', '10.200.0.5']);
  });

  it('of a pod of a StatefulSet is one', () => {
    expect(addresses('db-1.members.shop.svc.cluster.local')).toEqual(['10.200.0.5']);
  });

  it('do not exist for other names, and for Services without endpoints that have no address', () => {
    expect(addresses('db-2.members.shop.svc.cluster.local')).toBeUndefined();
    expect(addresses('web.other.svc.cluster.local')).toBeUndefined();
    expect(addresses('web.shop.svc')).toBeUndefined();
    expect(addresses('example.com')).toBeUndefined();
  });
});

describe('a message of DNS', () => {
  // id 1234, recursion desired, one question: a.b A IN
  const query = Buffer.from('123401000001000000000000016101620000010001', 'hex');

  it('has a question', () => {
    expect(readQuestion(query)).toMatchObject({ id: 0x1234, name: 'a.b', type: TYPE_A, wantsRecursion: true });
    expect(readQuestion(query.subarray(0, 15))).toBeUndefined();
  });

  it('is answered with addresses, with none, or with "no such name"', () => {
    const question = readQuestion(query);
    if (question === undefined) throw new Error('no question');
    expect(writeAnswer(question, ['10.0.0.9']).toString('hex')).toBe(
      '123485800001000100000000016101620000010001c00c000100010000000100040a000009',
    );
    expect(writeAnswer(question, []).toString('hex')).toBe('123485800001000000000000016101620000010001');
    expect(writeAnswer(question, undefined).readUInt8(3) & 15).toBe(3);
  });
});

it('the rules send connections to ready endpoints, and refuse those to Services without one', () => {
  const rules = serviceRules('node_0', '10.200.0.0/16', objects);
  expect(rules).toContain('ip daddr 10.0.0.9 tcp dport 80 dnat ip to numgen inc mod 1 map { 0 : 10.200.0.2 . 8080 }');
  expect(rules).toContain('ip daddr 10.0.0.8 reject');
  expect(rules).not.toContain('10.200.0.3');
});

describe('the table of images', () => {
  it('finds an image by its short and its long name, with a digest or not', () => {
    const names = ['postgres:17.2', 'docker.io/library/postgres:17', `postgres:16@sha256:${'0'.repeat(64)}`];
    for (const name of names) expect(findImage(name)?.packages).toContain('postgresql-17');
    expect(findImage('postgres:15.4')?.packages).toContain('postgresql-15');
  });

  it('has no image without a tag, and no foreign one', () => {
    for (const name of ['busybox', 'busybox:latest', 'example.com/busybox:1.37'])
      expect(findImage(name)).toBeUndefined();
  });

  it('has an etcd without a shell, and one with nothing but a shell', () => {
    expect(findImage('gcr.io/etcd-development/etcd:v3.5.21')?.programs).toEqual(['etcd', 'etcdctl', 'etcdutl']);
    expect(findImage('registry.k8s.io/etcd:3.5.21-0')?.programs).toEqual(['dash', 'sh', 'etcd', 'etcdctl']);
  });
});
