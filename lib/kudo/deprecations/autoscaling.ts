import { arrayAt, isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { specOf } from './workload';

/** autoscaling/v2beta1 named a metric and its target by flat fields; v2 has `metric` and `target`. */
export function toAutoscalingV2(object: KubeObject): undefined {
  for (const metric of arrayAt(specOf(object), 'metrics')) {
    if (!isJsonObject(metric)) continue;
    convert(metric, 'resource', toResource);
    convert(metric, 'containerResource', toResource);
    convert(metric, 'pods', toPods);
    convert(metric, 'object', toObject);
    convert(metric, 'external', toExternal);
  }
  return undefined;
}

function convert(metric: JsonObject, key: string, change: (source: JsonObject) => JsonObject): void {
  const source = metric[key];
  if (isJsonObject(source)) metric[key] = change(source);
}

function toResource(source: JsonObject): JsonObject {
  const { targetAverageUtilization, targetAverageValue, ...rest } = source;
  if (targetAverageUtilization !== undefined) {
    return { ...rest, target: { type: 'Utilization', averageUtilization: targetAverageUtilization } };
  }
  return targetAverageValue === undefined ? source : { ...rest, target: average(targetAverageValue) };
}

function toPods(source: JsonObject): JsonObject {
  const { metricName, selector, targetAverageValue, ...rest } = source;
  if (metricName === undefined) return source;
  return { ...rest, metric: metricOf(metricName, selector), target: average(targetAverageValue) };
}

function toObject(source: JsonObject): JsonObject {
  const { metricName, selector, target, targetValue, averageValue, ...rest } = source;
  if (metricName === undefined) return source;
  const aim = averageValue === undefined ? { type: 'Value', value: targetValue ?? '0' } : average(averageValue);
  return { ...rest, describedObject: target ?? {}, metric: metricOf(metricName, selector), target: aim };
}

function toExternal(source: JsonObject): JsonObject {
  const { metricName, metricSelector, targetValue, targetAverageValue, ...rest } = source;
  if (metricName === undefined) return source;
  const aim = targetValue === undefined ? average(targetAverageValue) : { type: 'Value', value: targetValue };
  return { ...rest, metric: metricOf(metricName, metricSelector), target: aim };
}

function metricOf(name: JsonValue, selector: JsonValue | undefined): JsonObject {
  return selector === undefined ? { name } : { name, selector };
}

function average(value: JsonValue | undefined): JsonObject {
  return { type: 'AverageValue', averageValue: value ?? '0' };
}
