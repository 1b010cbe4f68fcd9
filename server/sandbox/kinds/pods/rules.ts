import type { JsonObject } from '@/lib/json/json';
import { compareQuantities } from '@/lib/kube/quantity';
import { ensureObject, fill, objectOf, objectsOf, textOf } from '../base/access';
import type { KindRules } from '../base/kind-rules';
import { admitPriority } from './admit-class';
import { defaultPod, defaultPodSpec } from './defaults';
import { admitPodSecurity } from './pod-security';
import { validatePodSpec } from './validate-pod-spec';
import { validatePodStatus, validatePodUpdate } from './validate-pod-update';

/** What the admission plugin DefaultTolerationSeconds adds to a pod. */
function addTolerations(pod: JsonObject): void {
  const spec = ensureObject(pod, 'spec');
  const tolerations = objectsOf(spec, 'tolerations');
  for (const key of ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']) {
    const tolerated = tolerations.some(
      (each) => (each.key ?? key) === key && (each.effect ?? 'NoExecute') === 'NoExecute',
    );
    if (!tolerated) tolerations.push({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 });
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

/** `status.qosClass` of a pod by its requests and limits (Kubernetes pkg/apis/core/v1/helper/qos). */
function qualityOfService(pod: JsonObject): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const spec = objectOf(pod, 'spec');
  const amounts = [...objectsOf(spec, 'initContainers'), ...objectsOf(spec, 'containers')].flatMap((container) => {
    const resources = objectOf(container, 'resources');
    return ['cpu', 'memory'].map((name) => ({
      limit: amount(objectOf(resources, 'limits')?.[name]),
      request: amount(objectOf(resources, 'requests')?.[name]),
    }));
  });
  if (amounts.every(({ limit, request }) => limit === undefined && request === undefined)) return 'BestEffort';
  const isFixed = amounts.every(
    ({ limit, request = limit }) => limit !== undefined && compareQuantities(request ?? limit, limit) === 0,
  );
  return isFixed ? 'Guaranteed' : 'Burstable';
}

/** An amount that counts: more than zero. */
function amount(value: unknown): string | undefined {
  return typeof value === 'string' && compareQuantities(value, '0') > 0 ? value : undefined;
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
    pod.status = { phase: 'Pending', qosClass: qualityOfService(pod), ...gatedCondition(pod) };
  },
  validate: (pod) => validatePodSpec(pod.at('spec')),
  validateUpdate(pod, old, { subresource }) {
    if (subresource === undefined) validatePodUpdate(pod, old);
  },
  validateStatus: validatePodStatus,
  prepareUpdate(pod, old, { subresource }) {
    const status = objectOf(pod, 'status');
    if (subresource === undefined) {
      // What an update does not say about priority stays.
      const { priority = 0, preemptionPolicy = 'PreemptLowerPriority' } = objectOf(old, 'spec') ?? {};
      fill(objectOf(pod, 'spec'), { priority, preemptionPolicy });
      addTolerations(pod);
    }
    if (subresource !== 'status' || status === undefined) return;
    mirrorAddress(status);
    const { qosClass } = objectOf(old, 'status') ?? {};
    if (qosClass !== undefined) status.qosClass = qosClass;
  },
};

export const podTemplateRules: KindRules = {
  hasGeneration: true,
  generationOf: ['template'],
  defaults: (object) => defaultPodSpec(ensureObject(ensureObject(object, 'template'), 'spec')),
};
