import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parsePackage } from '@/lib/kudo/package/parse-package';
import { evaluate } from './expression';
import { judgeRules } from './judge-rules';

const files = new Map(
  ['operator.yaml', 'params.yaml'].map((name) => [name, readFileSync(`operators/etcd/1.2.0/${name}`, 'utf8')]),
);
const parsed = parsePackage(files);
if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
const kinds = parsed.package.operator.api ?? [];
const kindOf = (name: string) => kinds.find(({ kind }) => kind === name);

const resource = (spec: object) => ({ metadata: { name: 'x', namespace: 'n' }, spec });

describe('the kinds of etcd 1.2.0', () => {
  it.each([
    [{ etcdEndpoints: ['http://example-etcd-cluster-client:2379'] }, 'example-etcd-cluster'],
    [{ etcdEndpoints: ['https://orders-client.shop.svc:2379'] }, 'orders'],
    [{ etcdEndpoints: ['http://orders-1:2379'] }, 'orders-1'],
    [{ etcdEndpoints: ['http://orders-0.orders-members.shop.svc:2379'] }, 'orders'],
    [{ etcdEndpoints: ['orders'] }, 'orders'],
    [{ clusterName: 'orders', etcdEndpoints: ['http://else:2379'] }, 'orders'],
    [{}, ''],
  ])('the backup %j is of cluster %s', (spec, name) => {
    expect(evaluate(kindOf('EtcdBackup')?.run?.instance ?? '', { self: resource(spec) })).toBe(name);
  });

  const mappedValue = (parameter: string, spec: object) =>
    evaluate(kindOf('EtcdCluster')?.instance?.parameters[parameter] ?? '', { self: resource(spec) });

  it.each([
    ['version', { version: 'v3.5.21' }, '3.5.21'],
    ['version', { version: '3.2.13' }, null],
    ['version', {}, null],
    ['image', { repository: 'quay.io/coreos/etcd' }, 'quay.io/coreos/etcd:v{version}'],
    ['cpu', { pod: { resources: { requests: { cpu: '200m' } } } }, 0.2],
    ['cpu', { pod: {} }, null],
    ['memory', { pod: { resources: { limits: { memory: '1Gi' } } } }, '1Gi'],
    ['storage', { pod: { persistentVolumeClaimSpec: { resources: { requests: { storage: '2Gi' } } } } }, '2Gi'],
    ['affinity', { pod: { antiAffinity: true } }, 'required'],
    ['affinity', { pod: { antiAffinity: false } }, null],
    ['tls', { TLS: { static: {} } }, 'generated'],
  ])('%s of %j is %j', (parameter, spec, value) => {
    expect(mappedValue(parameter, spec)).toBe(value);
  });

  const restoreOf = (spec: object) =>
    evaluate(kindOf('EtcdRestore')?.run?.parameters.restore_from ?? '', { self: resource(spec) });

  it('a restore loads the backup that it names, the one of the path, or the newest', () => {
    expect(restoreOf({ backup: 'etcd-20260101T000000Z' })).toBe('etcd-20260101T000000Z');
    expect(restoreOf({ s3: { path: 'b/p/etcd-20260101T000000Z' } })).toBe('etcd-20260101T000000Z');
    expect(restoreOf({})).toBe('latest');
  });

  const instance = { metadata: { name: 'x' }, spec: { parameters: { backup_target: 's3', s3_bucket: 'mine' } } };

  it.each([
    [{ storageType: 'GCS' }, null, 'StorageNotSupported'],
    [{ storageType: 'S3' }, { metadata: { name: 'x' }, spec: {} }, 'StorageNotConfigured'],
    [{ storageType: 'Volume' }, instance, 'StorageNotConfigured'],
    [{ storageType: 'S3', s3: { path: 'other/etcd.backup' } }, instance, 'OtherBucket'],
    [{ storageType: 'S3', s3: { path: 'mine/etcd.backup' } }, instance, undefined],
    [{ storageType: 'Volume' }, null, undefined],
  ])('the backup %j of %j is blocked by %s', (spec, of, reason) => {
    const { blocking } = judgeRules(kindOf('EtcdBackup')?.rules, { self: resource(spec), instance: of });
    expect([blocking?.reason, blocking?.message.includes('has no value')]).toEqual([
      reason,
      reason === undefined ? undefined : false,
    ]);
  });
});
