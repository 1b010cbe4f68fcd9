import { request } from '@/components/live/request';
import { kubePath } from '@/components/resources/resource-path';
import type { KubeObject } from '@/lib/kube/object';
import { operatorVersionKey, SELF_HEAL_ANNOTATION } from '@/lib/kudo/names';
import { isSelfHealing } from '@/lib/kudo/self-heal/self-heal';
import type { Instance } from '@/lib/kudo/types';
import { topics } from '@/lib/live/topic';

/** Switches self-heal off for an Instance. @throws RequestError */
export function pauseSelfHeal(namespace: string, name: string): Promise<unknown> {
  return annotate(namespace, name, 'off');
}

/** Switches self-heal on again: as the operator has it where that is on, and for this Instance otherwise. @throws RequestError */
export async function resumeSelfHeal(namespace: string, name: string): Promise<void> {
  const instance = await request<Instance>(kubePath({ ...topics.instances, namespace, name }));
  const version = await request<KubeObject>(kubePath({ ...topics.operatorVersions, ...operatorVersionKey(instance) }));
  const isOnByOperator = isSelfHealing({ metadata: {} }, version);
  await annotate(namespace, name, isOnByOperator ? null : 'on');
}

// Without a resourceVersion: the controller writes the status between the read and the write, which is no conflict here.
function annotate(namespace: string, name: string, value: string | null): Promise<unknown> {
  return request(`${kubePath({ ...topics.instances, namespace, name })}?fieldManager=bravo-console`, {
    method: 'PATCH',
    contentType: 'application/merge-patch+json',
    body: { metadata: { annotations: { [SELF_HEAL_ANNOTATION]: value } } },
  });
}
