import { describe, expect, it } from 'vitest';
import { compareApiVersions, resourceName, summarizeKinds } from './kinds';
import type { ResourceType } from './object';

const type = (group: string, version: string, resource: string, verbs = ['list', 'get']): ResourceType => ({
  group,
  version,
  resource,
  kind: resource.replace(/s$/, ''),
  singular: '',
  namespaced: true,
  verbs,
  shortNames: [],
  categories: [],
  subresources: [],
});

describe('compareVersions', () => {
  it('prefers as Kubernetes does', () => {
    const versions = ['v11alpha2', 'foo1', 'v3beta1', 'v12alpha1', 'v1', 'v10beta3', 'v2', 'v11beta2', 'v10', 'foo10'];
    expect(versions.sort(compareApiVersions)).toEqual([
      'v10',
      'v2',
      'v1',
      'v11beta2',
      'v10beta3',
      'v3beta1',
      'v12alpha1',
      'v11alpha2',
      'foo1',
      'foo10',
    ]);
  });
});

describe('summarizeKinds', () => {
  it('gives each listable resource once, in its preferred version, and marks custom ones', () => {
    const kinds = summarizeKinds(
      [
        type('autoscaling', 'v1', 'hpas'),
        type('autoscaling', 'v2', 'hpas'),
        type('', 'v1', 'bindings', ['create']),
        type('kudo.dev', 'v1beta1', 'instances'),
        type('example.com', 'v1', 'ponds'),
      ],
      new Map([
        ['instances.kudo.dev', undefined],
        ['ponds.example.com', 'pond'],
      ]),
    );
    expect(kinds.map((kind) => [resourceName(kind), kind.version, kind.custom, kind.operator])).toEqual([
      ['hpas.autoscaling', 'v2', false, undefined],
      ['ponds.example.com', 'v1', true, 'pond'],
      ['instances.kudo.dev', 'v1beta1', true, undefined],
    ]);
  });
});
