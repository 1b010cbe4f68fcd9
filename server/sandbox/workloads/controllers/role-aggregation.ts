import { arrayAt, type JsonValue, jsonEqual } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { matchesLabelSelector } from '../../selectors/selector';
import { queueKey, reconcileEach, type WorkloadContext, type WorkloadController } from '../core/context';
import { resources } from '../core/resources';

/** Writes the rules of aggregated ClusterRoles (Kubernetes pkg/controller/clusterroleaggregation). */
export function roleAggregationController(context: WorkloadContext): WorkloadController {
  return {
    name: 'cluster-role-aggregation',
    *keysFor({ resource }) {
      if (resource.group !== resources.clusterroles.group || resource.resource !== 'clusterroles') return;
      for (const role of context.list(resources.clusterroles)) if (selectorsOf(role).length > 0) yield queueKey(role);
    },
    reconcile: reconcileEach(context, resources.clusterroles, (_, role) => {
      if (selectorsOf(role).length === 0) return undefined;
      context.update(resources.clusterroles, role, (copy) => {
        copy.rules = aggregated(context, role);
      });
      return undefined;
    }),
  };
}

function selectorsOf(role: KubeObject): readonly JsonValue[] {
  return arrayAt(role, 'aggregationRule', 'clusterRoleSelectors');
}

/** The rules of the roles that each selector finds, in the order of their names, each rule once. */
function aggregated(context: WorkloadContext, role: KubeObject): JsonValue[] {
  const others = context
    .list(resources.clusterroles)
    .filter((other) => nameOf(other) !== nameOf(role))
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const rules: JsonValue[] = [];
  for (const selector of selectorsOf(role)) {
    for (const other of others) {
      if (!matchesLabelSelector(selector, other.metadata.labels)) continue;
      for (const rule of arrayAt(other, 'rules')) if (!rules.some((each) => jsonEqual(each, rule))) rules.push(rule);
    }
  }
  return rules;
}
