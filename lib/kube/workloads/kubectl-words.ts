import { resourceName } from '../kinds';
import { type GroupVersionResource, type KubeObject, nameOf, namespaceOf } from '../object';
import type { ActionChoice, WorkloadActionId } from './actions';

/** The words of the `kubectl` command that does an action, when there is one; the others are a patch. */
export function kubectlWords(
  id: WorkloadActionId,
  object: KubeObject,
  type: GroupVersionResource,
  choice: Pick<ActionChoice, 'replicas' | 'jobName'>,
): readonly string[] | undefined {
  const place = namespaceOf(object) === '' ? [] : ['-n', namespaceOf(object)];
  const target = `${resourceName(type)}/${nameOf(object)}`;
  switch (id) {
    case 'restart':
    case 'pause':
    case 'resume':
      return ['kubectl', 'rollout', id, target, ...place];
    case 'scale':
      return ['kubectl', 'scale', target, `--replicas=${choice.replicas}`, ...place];
    case 'trigger':
      return ['kubectl', 'create', 'job', choice.jobName, `--from=cronjob/${nameOf(object)}`, ...place];
    case 'cordon':
    case 'uncordon':
      return ['kubectl', id, nameOf(object)];
    case 'drain':
      return ['kubectl', 'drain', nameOf(object), '--ignore-daemonsets'];
    default:
      return undefined;
  }
}
