import type { JsonObject } from '@/lib/json/json';
import { ensureObject, objectOf, objectsOf, textOf } from '../base/access';
import type { KindRules } from '../base/kind-rules';
import { admitPriority } from './admit-class';
import { admitPodSecurity } from './pod-security';
import { defaultPod, defaultPodSpec } from './pod-spec-defaults';
import { qualityOfService } from './quality-of-service';
import { validatePodSpec } from './validate-pod-spec';
import { validatePodStatus, validatePodUpdate } from './validate-pod-update';

const NODE_TAINTS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

/** What the admission plugin DefaultTolerationSeconds adds to a pod. */
function addTolerations(pod: JsonObject): void {
  const spec = ensureObject(pod, 'spec');
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

/** A pod with scheduling gates says so from its beginning (pkg/registry/core/pod applySchedulingGatedCondition). */
function gatedCondition(pod: JsonObject): JsonObject {
  if (objectsOf(objectOf(pod, 'spec'), 'schedulingGates').length === 0) return {};
  const condition = {
    type: 'PodScheduled',
    status: 'False',
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
    lastProbeTime: null,
    lastTransitionTime: null,
  };
  return { conditions: [condition] };
}

/** An update goes through the same plugins; what it does not say about priority stays. */
function admitUpdate(pod: JsonObject, old: JsonObject): void {
  const spec = ensureObject(pod, 'spec');
  const before = objectOf(old, 'spec') ?? {};
  for (const key of ['priority', 'preemptionPolicy']) {
    if (spec[key] === undefined && before[key] !== undefined) spec[key] = before[key];
  }
  addTolerations(pod);
}

/** `podIP` is the first of `podIPs`. */
function mirrorAddress(status: JsonObject): void {
  const address = textOf(status, 'podIP');
  const [first] = objectsOf(status, 'podIPs');
  if (address === '') {
    if (first?.ip !== undefined) status.podIP = first.ip;
  } else if (first?.ip !== address) status.podIPs = [{ ip: address }];
}

export const podRules: KindRules = {
  hasGeneration: true,
  keptByStatus: ['ownerReferences'],
  defaults: defaultPod,
  prepareCreate(pod, context) {
    admitPriority(pod, context);
    addTolerations(pod);
    admitPodSecurity(pod, context);
    pod.status = { phase: 'Pending', qosClass: qualityOfService(objectOf(pod, 'spec')), ...gatedCondition(pod) };
  },
  validate: (pod, faults) => validatePodSpec(objectOf(pod, 'spec') ?? {}, 'spec', faults),
  validateUpdate(pod, old, faults, { subresource }) {
    if (subresource === undefined) validatePodUpdate(pod, old, faults);
  },
  validateStatus: validatePodStatus,
  prepareUpdate(pod, old, { subresource }) {
    const status = objectOf(pod, 'status');
    if (subresource === undefined) admitUpdate(pod, old);
    if (subresource === 'status' && status !== undefined) mirrorAddress(status);
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
