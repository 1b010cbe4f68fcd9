import { arrayAt, cloneJson, isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';

/**
 * The built-in kinds that Kubernetes 1.36 serves in two shapes: Event (core/v1 and events.k8s.io/v1) and
 * HorizontalPodAutoscaler (autoscaling/v1 and v2). All others only change their apiVersion.
 */
export function convertBuiltin(object: KubeObject, apiVersion: string): KubeObject {
  const copy = cloneJson(object);
  copy.apiVersion = apiVersion;
  if (copy.kind === 'Event') return apiVersion === 'v1' ? toCoreEvent(copy) : toNewEvent(copy);
  if (copy.kind === 'HorizontalPodAutoscaler') {
    return apiVersion === 'autoscaling/v1' ? toFirstAutoscaler(copy) : toSecondAutoscaler(copy);
  }
  return copy;
}

const EVENT_NAMES = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
] as const;

function toNewEvent(event: KubeObject): KubeObject {
  for (const [core, renamed] of EVENT_NAMES) rename(event, core, renamed);
  if (event.reportingController === '') delete event.reportingController;
  if (event.reportingInstance === '') delete event.reportingInstance;
  return event;
}

function toCoreEvent(event: KubeObject): KubeObject {
  for (const [core, renamed] of EVENT_NAMES) rename(event, renamed, core);
  event.involvedObject ??= {};
  event.source ??= {};
  event.firstTimestamp ??= null;
  event.lastTimestamp ??= null;
  event.reportingComponent ??= '';
  event.reportingInstance ??= '';
  return event;
}

function rename(object: KubeObject, from: string, to: string): void {
  if (object[from] === undefined) return;
  object[to] = object[from];
  delete object[from];
}

function toSecondAutoscaler(hpa: KubeObject): KubeObject {
  const spec = objectAt(hpa, 'spec');
  const target = spec.targetCPUUtilizationPercentage;
  delete spec.targetCPUUtilizationPercentage;
  if (typeof target === 'number') spec.metrics = [cpuMetric(target)];
  const status = objectAt(hpa, 'status');
  const current = status.currentCPUUtilizationPercentage;
  delete status.currentCPUUtilizationPercentage;
  if (typeof current === 'number') {
    status.currentMetrics = [
      { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: current, averageValue: '0' } } },
    ];
  }
  hpa.status = {
    ...status,
    currentMetrics: status.currentMetrics ?? null,
    desiredReplicas: status.desiredReplicas ?? 0,
  };
  return hpa;
}

function cpuMetric(target: number): JsonValue {
  const resource = { name: 'cpu', target: { type: 'Utilization', averageUtilization: target } };
  return { type: 'Resource', resource };
}

function toFirstAutoscaler(hpa: KubeObject): KubeObject {
  const spec = objectAt(hpa, 'spec');
  const cpu = arrayAt(spec, 'metrics').find(isCpu);
  delete spec.metrics;
  delete spec.behavior;
  const target = objectAt(cpu, 'resource', 'target').averageUtilization;
  if (target !== undefined) spec.targetCPUUtilizationPercentage = target;
  const { currentMetrics, conditions, ...status }: JsonObject = objectAt(hpa, 'status');
  const current = objectAt(arrayAt(currentMetrics).find(isCpu), 'resource', 'current').averageUtilization;
  if (current !== undefined) status.currentCPUUtilizationPercentage = current;
  if (conditions !== undefined && conditions !== null) {
    const annotations = hpa.metadata.annotations ?? {};
    annotations['autoscaling.alpha.kubernetes.io/conditions'] = JSON.stringify(conditions);
    hpa.metadata.annotations = annotations;
  }
  hpa.status = { currentReplicas: 0, desiredReplicas: 0, ...status };
  return hpa;
}

function isCpu(metric: JsonValue): boolean {
  return isJsonObject(metric) && metric.type === 'Resource' && stringAt(metric, 'resource', 'name') === 'cpu';
}
