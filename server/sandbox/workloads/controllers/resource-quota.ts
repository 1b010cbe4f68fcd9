import type { JsonObject } from '@/lib/json/json';
import { objectAt } from '@/lib/json/json';
import { type KubeObject, namespaceOf } from '@/lib/kube/object';
import { isInScope } from '../../quota/scopes';
import { formatLike, usageOf } from '../../quota/usage';
import { type Controller, queueKey, type WorkloadContext } from '../core/context';
import { resources } from '../core/resources';

/** Keeps the status of ResourceQuotas: what they allow and what is used of it (Kubernetes pkg/controller/resourcequota). */
export function quotaController(context: WorkloadContext): Controller {
  return {
    name: 'resource-quota',
    *rings(event) {
      const namespace = namespaceOf(event.object);
      if (namespace === '') return;
      for (const quota of context.list(resources.resourcequotas, namespace)) yield queueKey(quota);
    },
    reconcile(namespace, name) {
      const quota = context.get(resources.resourcequotas, namespace, name);
      if (quota !== undefined) writeUsed(context, quota);
      return undefined;
    },
  };
}

function writeUsed(context: WorkloadContext, quota: KubeObject): void {
  const hard = objectAt(quota, 'spec', 'hard');
  const counted = Object.keys(hard);
  const totals = new Map<string, bigint>();
  for (const resource of context.api.resources()) {
    if (!resource.namespaced || !counted.some((name) => concerns(name, resource))) continue;
    for (const object of context.list(resource, namespaceOf(quota))) {
      if (!isInScope(quota, resource, object)) continue;
      for (const [name, amount] of usageOf(resource, object)) totals.set(name, (totals.get(name) ?? 0n) + amount);
    }
  }
  const used: JsonObject = {};
  for (const name of counted) used[name] = formatLike(totals.get(name) ?? 0n, hard[name]);
  context.updateStatus(resources.resourcequotas, quota, { hard, used });
}

/** Whether objects of a resource can take something of what a quota names. */
function concerns(name: string, { group, resource }: { group: string; resource: string }): boolean {
  if (name.startsWith('count/')) return name === (group === '' ? `count/${resource}` : `count/${resource}.${group}`);
  if (group !== '') return false;
  if (name === resource || name.startsWith(`${resource}.`)) return true;
  if (resource === 'persistentvolumeclaims') return name.includes('storage');
  return resource === 'pods' && /^(requests\.|limits\.|cpu$|memory$|ephemeral-storage$)/.test(name);
}
