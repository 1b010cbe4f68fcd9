import { stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { INSTANCE_LABEL } from '@/lib/kudo/names';
import { PLAN_RUN_API_VERSION } from '@/lib/kudo/runs/plan-run';

/**
 * True for what a page of an Instance follows: an object with its label (`names[0]`), its PlanRuns and PlanSchedules, and an event about an object
 * of one of the names, or of a name that begins with one and a dash (pods, jobs and claims are named so by their controllers).
 */
export function belongsTo(object: KubeObject, names: readonly string[]): boolean {
  const about = stringAt(object, 'involvedObject', 'name');
  // An Instance does not own its PlanRuns and PlanSchedules. Both name it in their spec.
  if (object.apiVersion === PLAN_RUN_API_VERSION) return stringAt(object, 'spec', 'instanceName') === names[0];
  if (about === undefined) return object.metadata.labels?.[INSTANCE_LABEL] === names[0];
  return names.some((name) => about === name || about.startsWith(`${name}-`));
}

/**
 * True for what may be in the tree of an Instance: an object with its label, and one that has an owner and is of no Instance. Whether the owner is in
 * the tree is known where the tree is put together.
 */
export function mayBeInTree(object: KubeObject, [instance]: readonly string[]): boolean {
  const { labels, ownerReferences = [] } = object.metadata;
  const label = labels?.[INSTANCE_LABEL];
  return label === undefined ? ownerReferences.length > 0 : label === instance;
}
