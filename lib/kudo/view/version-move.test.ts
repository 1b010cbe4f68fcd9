import { describe, expect, it } from 'vitest';
import type { OperatorVersion } from '@/lib/kudo/types';
import { newerVersion } from './newer-version';
import { otherVersions, parameterMoves, versionLabel } from './version-move';

const version = (
  app: string,
  own: string,
  parts: { operator?: string; namespace?: string; parameters?: [string, string][] } = {},
): OperatorVersion => {
  const { operator = 'db', namespace = 'demo', parameters = [] } = parts;
  return {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'OperatorVersion',
    metadata: { name: `${operator}-${app}-${own}`, namespace },
    spec: {
      operator: { name: operator },
      appVersion: app,
      version: own,
      parameters: parameters.map(([name, value]) => ({ name, default: value })),
    },
  };
};
const keyed = (...all: OperatorVersion[]) =>
  new Map(all.map((one) => [`${one.metadata.namespace}/${one.metadata.name}`, one]));

describe('newerVersion', () => {
  const now = version('16.8', '1.0.0');

  it('is the newest of the same operator and namespace', () => {
    expect(newerVersion(now, keyed(now, version('16.9', '1.1.0'), version('16.10', '1.2.0')))).toEqual({
      name: 'db-16.10-1.2.0',
      version: '16.10',
    });
  });

  it('names the version of the operator when the application is the same', () => {
    expect(newerVersion(now, keyed(now, version('16.8', '1.1.0')))?.version).toBe('1.1.0');
  });

  it('ignores other operators, other namespaces and older versions', () => {
    const others = [
      version('17', '9', { operator: 'mq' }),
      version('17', '9', { namespace: 'shop' }),
      version('15', '1.0.0'),
    ];
    expect(newerVersion(now, keyed(now, ...others))).toBeUndefined();
  });
});

describe('otherVersions', () => {
  it('lists all others, newest first', () => {
    const now = version('2', '1');
    const all = [version('1', '1'), now, version('3', '1')];
    expect(otherVersions(now, all).map(versionLabel)).toEqual(['3 (operator 1)', '1 (operator 1)']);
  });
});

describe('parameterMoves', () => {
  it('names added parameters, removed ones and changed defaults', () => {
    const from = version('1', '1', {
      parameters: [
        ['A', '1'],
        ['B', '2'],
        ['C', '3'],
      ],
    });
    const to = version('2', '1', {
      parameters: [
        ['A', '1'],
        ['B', '5'],
        ['D', '4'],
      ],
    });
    expect(parameterMoves(from, to)).toEqual({ added: ['D'], removed: ['C'], defaults: [['B', '2', '5']] });
  });
});
