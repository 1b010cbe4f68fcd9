import { request } from '@/components/live/request';
import { kubePath } from '@/components/resources/resource-path';
import { stringAt } from '@/lib/json/json';
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
  await annotate(namespace, name, isOnByOperator ? null : 'on', stringAt(instance, 'metadata', 'resourceVersion'));
}

function annotate(namespace: string, name: string, value: string | null, resourceVersion?: string): Promise<unknown> {
  return request(`${kubePath({ ...topics.instances, namespace, name })}?fieldManager=bravo-console`, {
    method: 'PATCH',
    contentType: 'application/merge-patch+json',
    body: { metadata: { resourceVersion, annotations: { [SELF_HEAL_ANNOTATION]: value } } },
  });
}
