import { type KubeObject, namespaceOf } from '@/lib/kube/object';
import { INSTANCE_LABEL, OPERATOR_LABEL, PHASE_ANNOTATION, PLAN_ANNOTATION, STEP_ANNOTATION } from '@/lib/kudo/names';

/** The Instance whose plan applied an object, as the object's own labels and annotations say. */
export interface ManagingInstance {
  /** Empty for a cluster-scoped object, which does not say where its Instance is. */
  readonly namespace: string;
  readonly name: string;
  readonly operator: string;
  /** The step that applied the object last. */
  readonly plan: string;
  readonly phase: string;
  readonly step: string;
}

/** Undefined for an object that no plan applied: also for a pod of a StatefulSet of an Instance, which has the label too. */
export function managingInstance(object: KubeObject): ManagingInstance | undefined {
  const { labels = {}, annotations = {} } = object.metadata;
  const name = labels[INSTANCE_LABEL];
  const plan = annotations[PLAN_ANNOTATION];
  if (name === undefined || plan === undefined) return undefined;
  return {
    namespace: namespaceOf(object),
    name,
    operator: labels[OPERATOR_LABEL] ?? '',
    plan,
    phase: annotations[PHASE_ANNOTATION] ?? '',
    step: annotations[STEP_ANNOTATION] ?? '',
  };
}
