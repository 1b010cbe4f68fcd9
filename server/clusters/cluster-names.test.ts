import { describe, expect, it } from 'vitest';
import { clusterNames } from './cluster-names';

describe('names of clusters in addresses', () => {
  it('are the contexts in lower case, with dashes', () => {
    const titles = ['prod', 'arn:aws:eks:eu-west-1:123:cluster/Blue', 'admin@kind', '日本'];
    expect(clusterNames(titles)).toEqual(['prod', 'arn-aws-eks-eu-west-1-123-cluster-blue', 'admin-kind', 'cluster']);
  });

  it('are different for each cluster', () => {
    expect(clusterNames(['a b', 'a-b', 'a.b'], new Set(['a-b']))).toEqual(['a-b-2', 'a-b-3', 'a-b-4']);
  });

  it('have at most 63 characters', () => {
    const [first, second] = clusterNames([`${'x'.repeat(62)}-y`, `${'x'.repeat(62)}-z`]);
    expect([first, second]).toEqual(['x'.repeat(62), `${'x'.repeat(61)}-2`]);
  });
});
