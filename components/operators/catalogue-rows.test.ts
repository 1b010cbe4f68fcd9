import { describe, expect, it } from 'vitest';
import type { PackageSummary } from '@/lib/kudo/package/catalogue';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { filterOperators, operatorRows, versionKeyFor } from './catalogue-rows';

const pack = (name: string, key: string, operatorVersion: string, appVersion = ''): PackageSummary => ({
  name,
  key,
  operatorVersion,
  appVersion,
  origin: 'bundled',
  description: `The ${name} operator`,
  url: '',
  maintainers: [],
  parameterCount: 0,
  plans: ['deploy'],
  warnings: [],
});

const installed = (name: string, version: string, namespace: string): OperatorVersion => ({
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'OperatorVersion',
  metadata: { name: `${name}-${version}`, namespace },
  spec: { operator: { name }, version },
});

const instance = (name: string, namespace: string, version: string): Instance => ({
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'Instance',
  metadata: { name, namespace },
  spec: { operatorVersion: { name: version } },
});

describe('operatorRows', () => {
  it('joins packages with what is in the cluster and counts instances by version and namespace', () => {
    const rows = operatorRows(
      [pack('etcd', '1.0.0', '1.0.0'), pack('etcd', '0.9.0', '0.9.0')],
      [installed('etcd', '0.9.0', 'a'), installed('etcd', '0.9.0', 'b'), installed('kafka', '2.0.0', 'a')],
      [instance('one', 'a', 'etcd-0.9.0'), instance('two', 'b', 'etcd-0.9.0'), instance('lost', 'c', 'etcd-0.9.0')],
    );
    expect(rows.map(({ name, instanceCount }) => [name, instanceCount])).toEqual([
      ['etcd', 2],
      ['kafka', 0],
    ]);
    expect(rows[0]?.versions.map(({ key, origin, namespaces }) => [key, origin, namespaces])).toEqual([
      ['1.0.0', 'bundled', []],
      ['0.9.0', 'bundled', ['a', 'b']],
    ]);
    expect(rows[1]?.versions[0]?.origin).toBeUndefined();
  });

  it('puts the newest app version first, whatever the package version', () => {
    const rows = operatorRows([pack('pg', '15-2.0.0', '2.0.0', '15'), pack('pg', '16-1.0.0', '1.0.0', '16')], [], []);
    expect(rows[0]?.versions.map(({ key }) => key)).toEqual(['16-1.0.0', '15-2.0.0']);
  });
});

describe('versionKeyFor', () => {
  const rows = operatorRows(
    [pack('pg', '16-2.0.0', '2.0.0', '16'), pack('pg', '16-1.0.0', '1.0.0', '16'), pack('web', '1.0.0', '1.0.0')],
    [],
    [],
  );

  it.each([
    ['pg', '16-1.0.0', '16-1.0.0'],
    ['pg', '16', '16-2.0.0'],
    ['pg', '1.0.0', '16-1.0.0'],
    ['web', '1.0.0', '1.0.0'],
    ['web', '', undefined],
    ['pg', '9', undefined],
    ['none', '16', undefined],
  ])('of %s in version %j is %j', (name, text, key) => {
    expect(versionKeyFor(rows, name, text)).toBe(key);
  });
});

describe('filterOperators', () => {
  it('looks in names and descriptions', () => {
    const rows = operatorRows([pack('etcd', '1', '1'), pack('mysql', '1', '1')], [], []);
    expect(filterOperators(rows, 'MYSQL operator').map(({ name }) => name)).toEqual(['mysql']);
  });
});
