import { describe, expect, it } from 'vitest';
import type { KindSummary } from '@/lib/kube/kinds';
import { filterKinds, sectionsOf } from './kind-sections';

const kind = (group: string, resource: string, custom = false): KindSummary => ({
  group,
  version: 'v1',
  resource,
  kind: resource,
  namespaced: true,
  shortNames: resource === 'deployments' ? ['deploy'] : [],
  verbs: ['list'],
  custom,
});

const kinds = [
  kind('', 'pods'),
  kind('', 'nodes'),
  kind('apps', 'deployments'),
  kind('acme.test', 'widgets', true),
  kind('kudo.dev', 'instances', true),
];

describe('sectionsOf', () => {
  it("puts custom kinds first, our own before others', then the built-in ones by purpose", () => {
    expect(
      sectionsOf(kinds).map(({ title, kinds: members }) => [title, members.map(({ resource }) => resource)]),
    ).toEqual([
      ['kudo.dev', ['instances']],
      ['acme.test', ['widgets']],
      ['Workloads', ['pods', 'deployments']],
      ['Cluster', ['nodes']],
    ]);
  });
});

describe('filterKinds', () => {
  it.each([
    ['deploy', ['deployments']],
    ['kudo.dev inst', ['instances']],
    ['DEPLOY apps', ['deployments']],
    ['nothing', []],
  ])('finds by "%s"', (filter, expected) => {
    expect(filterKinds(kinds, filter).map(({ resource }) => resource)).toEqual(expected);
  });
});
