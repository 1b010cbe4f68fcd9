import { describe, expect, it } from 'vitest';
import { TestCluster } from '../../testing/test-cluster';
import { resources } from '../core/resources';

describe('an aggregated ClusterRole', () => {
  const rule = (resource: string) => ({ apiGroups: ['lab.example.org'], resources: [resource], verbs: ['get'] });

  it('has the rules of the roles that it selects, by name, each once, and follows them', async () => {
    const cluster = new TestCluster({ mode: 'no-pods' });
    const labels = { part: 'of-all' };
    cluster.create(resources.clusterroles, {
      metadata: { name: 'all' },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: labels }] },
      rules: [],
    });
    cluster.create(resources.clusterroles, { metadata: { name: 'b', labels }, rules: [rule('ponds'), rule('lakes')] });
    cluster.create(resources.clusterroles, { metadata: { name: 'a', labels }, rules: [rule('lakes')] });
    await cluster.settle();
    const rules = () => cluster.get(resources.clusterroles, 'all', '')?.rules;
    expect(rules()).toEqual([rule('lakes'), rule('ponds')]);
    cluster.api.delete({ ...resources.clusterroles, name: 'b' }, {});
    await cluster.settle();
    expect(rules()).toEqual([rule('lakes')]);
  });

  it('takes what is made for the roles that come with a cluster', async () => {
    const cluster = new TestCluster({ mode: 'no-pods' });
    const labels = { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' };
    cluster.create(resources.clusterroles, { metadata: { name: 'pond-view', labels }, rules: [rule('ponds')] });
    await cluster.settle();
    for (const name of ['view', 'edit', 'admin']) {
      const role = cluster.get(resources.clusterroles, name, '');
      expect([
        JSON.stringify(role?.rules).includes('ponds'),
        JSON.stringify(role?.rules).includes('configmaps'),
      ]).toEqual([true, true]);
    }
  });
});
