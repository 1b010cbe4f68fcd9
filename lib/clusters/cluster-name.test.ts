import { describe, expect, it } from 'vitest';
import { clusterNameOf } from './cluster-name';
import { CLUSTER_NAME } from './cluster-path';

describe('the name of a cluster', () => {
  it.each([
    ['staging', 'staging'],
    ['kind-Bravo', 'kind-bravo'],
    ['admin@prod.example.org:6443', 'admin-prod-example-org-6443'],
    ['arn:aws:eks:eu-west-1:123456789012:cluster/live', 'arn-aws-eks-eu-west-1-123456789012-cluster-live'],
    ['--', 'cluster'],
    ['', 'cluster'],
    [`${'a'.repeat(62)}-b`, 'a'.repeat(62)],
  ])('of context %s is %s', (context, name) => {
    expect(clusterNameOf(context)).toBe(name);
    expect(name).toMatch(CLUSTER_NAME);
  });

  it('is another one when it is taken', () => {
    expect(clusterNameOf('a/b', new Set(['a-b']))).toBe('a-b-2');
    expect(clusterNameOf('a/b', new Set(['a-b', 'a-b-2']))).toBe('a-b-3');
    expect(clusterNameOf('a'.repeat(80), new Set(['a'.repeat(63)]))).toMatch(CLUSTER_NAME);
  });
});
