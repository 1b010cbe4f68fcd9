import { numberAt, objectAt } from '@/lib/json/json';
import { controllerOf, type KubeObject, kindOf, nameOf, namespaceOf } from '../object';
import type { Reversal } from './revert';

/** What the controller of an object does with a change of it; undefined for an object that has none. */
export function reversalByController(object: KubeObject): Reversal | undefined {
  const owner = controllerOf(object);
  if (owner === undefined) return undefined;
  const noun = `${owner.kind} ${owner.name}`;
  if (owner.kind === 'Deployment') {
    return {
      when: 'soon',
      text: `${noun} controls this ReplicaSet, and reverts the change within seconds. Change the Deployment instead.`,
    };
  }
  if (owner.kind === 'CronJob') {
    return { when: 'stays', text: `${noun} created this Job, and does not change it afterwards.` };
  }
  return { when: 'later', text: `${noun} controls this object. Its controller may set the field again.` };
}

/** What the autoscalers of a namespace do with a new number of replicas. */
export function reversalByAutoscaler(
  object: KubeObject,
  autoscalers: readonly KubeObject[],
  replicas: number,
): Reversal | undefined {
  const scaler = autoscalers.find((each) => isSizedBy(object, each));
  if (scaler === undefined) return undefined;
  const noun = `HorizontalPodAutoscaler ${nameOf(scaler)}`;
  if (replicas === 0) return { when: 'stays', text: `${noun} is inactive while the number of replicas is 0.` };
  const least = numberAt(scaler, 'spec', 'minReplicas') ?? 1;
  const most = numberAt(scaler, 'spec', 'maxReplicas') ?? least;
  return {
    when: 'soon',
    text: `${noun} sets the number of replicas, between ${least} and ${most}, and reverts the change. Change the autoscaler instead.`,
  };
}

function isSizedBy(object: KubeObject, autoscaler: KubeObject): boolean {
  const { kind, name, apiVersion } = objectAt(autoscaler, 'spec', 'scaleTargetRef');
  const group = typeof apiVersion === 'string' && apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
  return (
    kind === object.kind &&
    name === nameOf(object) &&
    group === kindOf(object).group &&
    namespaceOf(autoscaler) === namespaceOf(object)
  );
}
