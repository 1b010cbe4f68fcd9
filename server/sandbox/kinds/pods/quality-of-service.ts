import type { JsonObject } from '@/lib/json/json';
import { compareQuantities } from '@/lib/kube/quantity';
import { objectOf, objectsOf } from '../base/access';

const COUNTED = ['cpu', 'memory'] as const;

/** `status.qosClass` of a pod by its requests and limits (Kubernetes pkg/apis/core/v1/helper/qos). */
export function qualityOfService(spec: JsonObject | undefined): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const containers = [...objectsOf(spec, 'initContainers'), ...objectsOf(spec, 'containers')];
  let asksForSome = false;
  let guaranteed = true;
  for (const container of containers) {
    const limits = objectOf(objectOf(container, 'resources'), 'limits') ?? {};
    const requests = objectOf(objectOf(container, 'resources'), 'requests') ?? {};
    for (const name of COUNTED) {
      const limit = amount(limits[name]);
      const request = amount(requests[name]);
      if (limit !== undefined || request !== undefined) asksForSome = true;
      if (limit === undefined || (request !== undefined && compareQuantities(request, limit) !== 0)) guaranteed = false;
    }
  }
  if (!asksForSome) return 'BestEffort';
  return guaranteed ? 'Guaranteed' : 'Burstable';
}

/** An amount that counts: more than zero. */
function amount(value: unknown): string | undefined {
  return typeof value === 'string' && compareQuantities(value, '0') > 0 ? value : undefined;
}
