import type { JsonSchema } from '@/lib/schema/json-schema';

/**
 * Which zero values the API server drops when it writes an object. Go omits `""`, `0`, `false` and empty lists and maps
 * of optional fields, unless the field is a pointer; the schemas do not say which fields are. The sets name the rarer
 * of both (source: the Go types of k8s.io/api).
 */

/** Optional numbers and booleans that are no pointers: their zero is dropped. */
const PLAIN = new Set(
  `active availableReplicas chapAuthDiscovery chapAuthSession code count currentReplicas deprecated deprecatedCount
  exclusiveMaximum exclusiveMinimum failed failureThreshold fullyLabeledReplicas generation globalDefault
  healthCheckNodePort hostIPC hostNetwork hostPID hostPort initialDelaySeconds minReadySeconds nodePort nullable
  number numberAvailable numberUnavailable observedGeneration partition paused periodSeconds priority
  publishNotReadyAddresses readOnly readyReplicas replicas retryAfterSeconds signal sizeBytes sslEnabled stdin
  stdinOnce succeeded successThreshold timeoutSeconds tty unavailableReplicas uniqueItems unschedulable
  updatedNumberScheduled updatedReplicas`.split(/\s+/),
);

/** Fields of those names that are pointers after all: `Component.field`. */
const POINTERS = new Set(
  `CSIVolumeSource.readOnly ClientIPConfig.timeoutSeconds DeploymentSpec.replicas
  HorizontalPodAutoscalerStatus.observedGeneration PodSpec.priority ReplicaSetSpec.replicas
  ReplicationControllerSpec.replicas RollingUpdateStatefulSetStrategy.partition StatefulSetSpec.replicas
  ValidatingWebhook.timeoutSeconds VolumeNodeResources.count MutatingWebhook.timeoutSeconds`.split(/\s+/),
);

/** Strings that are pointers: their empty text is kept, and is often no valid value. */
const STRING_POINTERS = new Set(
  `CronJobSpec.timeZone DeploymentSpec.paused EndpointAddress.nodeName EndpointPort.appProtocol EndpointPort.name
  GRPCAction.service HPAScalingRules.selectPolicy HTTPIngressPath.pathType HostPathVolumeSource.type
  IngressSpec.ingressClassName JobStatus.failedIndexes LeaseSpec.holderIdentity LocalVolumeSource.fsType
  MutatingWebhook.failurePolicy MutatingWebhook.matchPolicy MutatingWebhook.reinvocationPolicy
  MutatingWebhook.sideEffects NetworkPolicyPort.protocol PersistentVolumeClaimSpec.storageClassName
  PersistentVolumeClaimSpec.volumeAttributesClassName PersistentVolumeClaimSpec.volumeMode
  PersistentVolumeSpec.volumeMode PodDNSConfigOption.value PodSecurityContext.fsGroupChangePolicy
  PodSpec.hostnameOverride PodSpec.preemptionPolicy PodSpec.runtimeClassName PortStatus.error
  PriorityClass.preemptionPolicy RuleWithOperations.scope SeccompProfile.localhostProfile SecurityContext.procMount
  ServicePort.appProtocol ServiceReference.path ServiceSpec.loadBalancerClass StorageClass.reclaimPolicy
  StorageClass.volumeBindingMode SuccessPolicyRule.succeededIndexes TypedLocalObjectReference.apiGroup
  TypedObjectReference.apiGroup ValidatingWebhook.failurePolicy ValidatingWebhook.matchPolicy
  ValidatingWebhook.sideEffects VolumeMount.mountPropagation WebhookClientConfig.url`.split(/\s+/),
);

/** True when an empty value of a field of a component is left out. */
export function dropsZero(component: string, field: string, schema: JsonSchema, isRequired: boolean): boolean {
  // An empty text gets the default like one that does not exist.
  if (isRequired || (schema.default !== undefined && schema.type !== 'string')) return false;
  const name = `${component}.${field}`;
  switch (schema.type) {
    case 'array':
      // An empty list sent here asks to forget all managers.
      // No policies are another thing than the default ones.
      return name !== 'ObjectMeta.managedFields' && name !== 'HPAScalingRules.policies';
    case 'object':
      return schema.additionalProperties !== undefined;
    case 'string':
      return schema.format !== 'date-time' && !STRING_POINTERS.has(name);
    case 'integer':
    case 'number':
    case 'boolean':
      return PLAIN.has(field) && !POINTERS.has(name);
    default:
      return false;
  }
}
