import type { JsonObject } from '@/lib/json/json';
import { dnsLabelProblems, pathSegmentProblems } from '@/lib/kube/label-syntax';
import { compareQuantities } from '@/lib/kube/quantity';
import { forbidden, invalid, notSupported, required } from '@/lib/schema/field-error';
import { numberOf, objectOf, objectsOf, textOf } from '../access';
import type { Faults } from '../kind-rules';
import { checkTarget } from './check-target';

const TYPES = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];
const SOURCES: { readonly [source: string]: (source: JsonObject, path: string, faults: Faults) => void } = {
  object: validateObject,
  external: validateExternal,
  pods: validatePods,
  resource: validateResource,
  containerResource: validateContainerResource,
};
const RAW_OR_UTILIZATION = 'target raw value or a target utilization';

/**
 * What an autoscaler looks at (Kubernetes pkg/apis/autoscaling/validation validateMetrics). The one target of
 * autoscaling/v1 is told as the metric that it is in the newer version.
 */
export function validateMetrics(spec: JsonObject, faults: Faults): void {
  const percent = numberOf(spec, 'targetCPUUtilizationPercentage');
  if (percent !== undefined && percent < 1) {
    const field = 'spec.metrics[0].resource.target.averageUtilization';
    faults.push(invalid(field, percent, 'must be greater than 0'));
  }
  for (const [index, metric] of objectsOf(spec, 'metrics').entries()) {
    validateMetric(metric, `spec.metrics[${index}]`, faults);
  }
}

function validateMetric(metric: JsonObject, path: string, faults: Faults): void {
  const type = textOf(metric, 'type');
  if (type === '') faults.push(required(`${path}.type`, 'must specify a metric source type'));
  const known = TYPES.includes(type);
  if (!known) faults.push(notSupported(`${path}.type`, type, TYPES));
  const given = Object.keys(SOURCES).filter((source) => objectOf(metric, source) !== undefined);
  const [first] = given;
  if (first !== undefined) SOURCES[first]?.(objectOf(metric, first) ?? {}, `${path}.${first}`, faults);
  const expected = type.charAt(0).toLowerCase() + type.slice(1);
  if (!known) faults.push(notSupported(`${path}.type`, type, TYPES));
  else if (!given.includes(expected)) {
    faults.push(required(`${path}.${expected}`, 'must populate information for the given metric source'));
  }
  if (given.length < 2) return;
  for (const source of given) {
    if (source === expected) continue;
    faults.push(forbidden(`${path}.${source}`, 'must populate the given metric source only'));
  }
}

function validateObject(source: JsonObject, path: string, faults: Faults): void {
  checkTarget(objectOf(source, 'describedObject') ?? {}, `${path}.describedObject`, faults);
  const { hasValue, hasAverage } = validateMetricAndTarget(source, path, faults);
  if (!hasValue && !hasAverage) {
    faults.push(required(`${path}.target.averageValue`, 'must set either a target value or averageValue'));
  }
}

function validateExternal(source: JsonObject, path: string, faults: Faults): void {
  const { hasValue, hasAverage } = validateMetricAndTarget(source, path, faults);
  const words = 'a target value for metric';
  if (!hasValue && !hasAverage) {
    faults.push(required(`${path}.target.averageValue`, `must set either ${words} or a per-pod target`));
  }
  if (hasValue && hasAverage) {
    faults.push(forbidden(`${path}.target.value`, `may not set both ${words} and a per-pod target`));
  }
}

function validatePods(source: JsonObject, path: string, faults: Faults): void {
  const { hasAverage } = validateMetricAndTarget(source, path, faults);
  if (!hasAverage) {
    faults.push(required(`${path}.target.averageValue`, 'must specify a positive target averageValue'));
  }
}

function validateContainerResource(source: JsonObject, path: string, faults: Faults): void {
  const container = textOf(source, 'container');
  if (container === '') faults.push(required(`${path}.container`, 'must specify a container'));
  else for (const problem of dnsLabelProblems(container)) faults.push(invalid(`${path}.container`, container, problem));
  validateResource(source, path, faults);
}

function validateResource(source: JsonObject, path: string, faults: Faults): void {
  if (textOf(source, 'name') === '') faults.push(required(`${path}.name`, 'must specify a resource name'));
  const { hasAverage, hasUtilization } = validateTarget(source, `${path}.target`, faults);
  if (!hasAverage && !hasUtilization) {
    faults.push(required(`${path}.target.averageUtilization`, `must set either a ${RAW_OR_UTILIZATION}`));
  }
  if (hasAverage && hasUtilization) {
    const text = 'may not set both a target raw value and a target utilization';
    faults.push(forbidden(`${path}.target.averageValue`, text));
  }
}

interface Given {
  readonly hasValue: boolean;
  readonly hasAverage: boolean;
  readonly hasUtilization: boolean;
}

function validateMetricAndTarget(source: JsonObject, path: string, faults: Faults): Given {
  const name = textOf(objectOf(source, 'metric'), 'name');
  if (name === '') faults.push(required(`${path}.metric.name`, 'must specify a metric name'));
  for (const problem of pathSegmentProblems(name)) faults.push(invalid(`${path}.metric.name`, name, problem));
  return validateTarget(source, `${path}.target`, faults);
}

function validateTarget(source: JsonObject, path: string, faults: Faults): Given {
  const target = objectOf(source, 'target') ?? {};
  const type = textOf(target, 'type');
  if (type === '') faults.push(required(`${path}.type`, 'must specify a metric target type'));
  if (!['Utilization', 'Value', 'AverageValue'].includes(type)) {
    faults.push(invalid(`${path}.type`, type, 'must be either Utilization, Value, or AverageValue'));
  }
  for (const key of ['value', 'averageValue']) {
    const amount = target[key];
    if (typeof amount === 'string' && compareQuantities(amount, '0') <= 0) {
      faults.push(invalid(`${path}.${key}`, amount, 'must be positive'));
    }
  }
  const percent = numberOf(target, 'averageUtilization');
  if (percent !== undefined && percent < 1) {
    faults.push(invalid(`${path}.averageUtilization`, percent, 'must be greater than 0'));
  }
  return {
    hasValue: target.value !== undefined,
    hasAverage: target.averageValue !== undefined,
    hasUtilization: percent !== undefined,
  };
}
