import { objectAt, stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { OWN_KIND_FINALIZER } from './names';

/** The name of the Instance behind a resource of an own kind, as its finalizer or its status says. */
export function instanceOfResource(object: KubeObject): string | undefined {
  if (object.metadata.finalizers?.includes(OWN_KIND_FINALIZER) === true) return nameOf(object);
  const status = objectAt(object, 'status');
  const isRun = stringAt(status, 'phase') !== undefined && stringAt(status, 'instance') !== undefined;
  const conditions = Array.isArray(status.conditions) ? status.conditions : [];
  const hasComplete = conditions.some((each) => stringAt(each, 'type') === 'Complete');
  return isRun && hasComplete ? stringAt(status, 'instance') : undefined;
}
