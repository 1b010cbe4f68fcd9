import type { JsonObject } from '@/lib/json/json';
import { ensureObject, fill, objectOf, objectsOf } from '../access';
import type { KindRules } from '../kind-rules';
import { defaultPod, defaultPodSpec } from './pod-spec-defaults';
import { qualityOfService } from './quality-of-service';
import { validatePodSpec } from './validate-pod-spec';
import { validatePodStatus, validatePodUpdate } from './validate-pod-update';

const NODE_TAINTS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

/** What the admission plugins Priority and DefaultTolerationSeconds add to a new pod. */
function admitPod(pod: JsonObject): void {
  const spec = ensureObject(pod, 'spec');
  fill(spec, { preemptionPolicy: 'PreemptLowerPriority', priority: priorityOf(spec) });
  const tolerations = objectsOf(spec, 'tolerations');
  for (const key of NODE_TAINTS) {
    const tolerated = tolerations.some(
      (each) =>
        (each.key === key || each.key === undefined) && (each.effect === 'NoExecute' || each.effect === undefined),
    );
    if (!tolerated) {
      tolerations.push({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 });
    }
  }
  spec.tolerations = tolerations;
}

function priorityOf(spec: JsonObject): number {
  if (spec.priorityClassName === 'system-node-critical') return 2_000_001_000;
  return spec.priorityClassName === 'system-cluster-critical' ? 2_000_000_000 : 0;
}

export const podRules: KindRules = {
  hasGeneration: true,
  defaults: defaultPod,
  prepareCreate(pod) {
    admitPod(pod);
    pod.status = { phase: 'Pending', qosClass: qualityOfService(objectOf(pod, 'spec')) };
  },
  validate(pod, faults) {
    validatePodSpec(objectOf(pod, 'spec') ?? {}, 'spec', faults);
  },
  validateUpdate(pod, old, faults, { subresource }) {
    if (subresource === undefined) validatePodUpdate(pod, old, faults);
  },
  validateStatus: validatePodStatus,
  prepareUpdate(pod, old, { subresource }) {
    const status = objectOf(pod, 'status');
    if (subresource === 'status' && status !== undefined) {
      const before = objectOf(old, 'status');
      if (before?.qosClass !== undefined) status.qosClass = before.qosClass;
    }
  },
};

export const podTemplateRules: KindRules = {
  hasGeneration: true,
  generationOf: ['template'],
  defaults: (object) => defaultPodSpec(ensureObject(ensureObject(object, 'template'), 'spec')),
};
