import { cloneJson, type JsonObject, jsonEqual } from '@/lib/json/json';
import { forbidden, invalid } from '@/lib/schema/field-error';
import { isIp } from '@/lib/schema/formats';
import { numberOf, objectOf, objectsOf, textOf } from '../base/access';
import type { Faults } from '../base/kind-rules';
import { IP_TEXT } from './validate-pod-spec';

const FIXED =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** What may change in a pod (Kubernetes pkg/apis/core/validation ValidatePodUpdate). */
export function validatePodUpdate(pod: JsonObject, old: JsonObject, faults: Faults): void {
  const spec = objectOf(pod, 'spec') ?? {};
  const before = objectOf(old, 'spec') ?? {};
  for (const list of ['containers', 'initContainers']) {
    if (objectsOf(spec, list).length !== objectsOf(before, list).length) {
      const what = list === 'containers' ? 'containers' : 'init containers';
      faults.push(forbidden(`spec.${list}`, `pod updates may not add or remove ${what}`));
      return;
    }
  }
  validateDeadline(spec, before, faults);
  if (!jsonEqual(comparable(spec, before), comparable(before, before))) {
    faults.push(forbidden('spec', `${FIXED}\n${difference('core.PodSpec', spec, before)}`));
  }
}

function validateDeadline(spec: JsonObject, before: JsonObject, faults: Faults): void {
  const now = numberOf(spec, 'activeDeadlineSeconds');
  const then = numberOf(before, 'activeDeadlineSeconds');
  if (then === undefined || now === then) return;
  const field = 'spec.activeDeadlineSeconds';
  if (now === undefined) faults.push(invalid(field, null, 'must not update from a positive integer to nil value'));
  else if (now > then) faults.push(invalid(field, now, 'must be less than or equal to previous value'));
}

/** A spec with everything that may change set to what it was. */
function comparable(spec: JsonObject, before: JsonObject): JsonObject {
  const copy = cloneJson(spec);
  for (const list of ['containers', 'initContainers']) {
    for (const [index, container] of objectsOf(copy, list).entries()) {
      const image = objectsOf(before, list)[index]?.image;
      if (image !== undefined) container.image = image;
    }
  }
  delete copy.activeDeadlineSeconds;
  delete copy.tolerations;
  if (numberOf(before, 'terminationGracePeriodSeconds') === -1) delete copy.terminationGracePeriodSeconds;
  return copy;
}

/** The members that differ, in the form of a Go struct; clients only see that there is a difference. */
export function difference(type: string, now: JsonObject, before: JsonObject): string {
  const keys = [...new Set([...Object.keys(now), ...Object.keys(before)])].sort();
  const changed = keys.filter((key) => !jsonEqual(now[key], before[key]));
  const lines = changed.flatMap((key) => [
    `- \t${key}: ${JSON.stringify(before[key] ?? null)},`,
    `+ \t${key}: ${JSON.stringify(now[key] ?? null)},`,
  ]);
  return [`  ${type}{`, ...lines, '  }', ''].join('\n');
}

/** A pod's status as its node writes it. */
export function validatePodStatus(pod: JsonObject, _old: JsonObject, faults: Faults): void {
  for (const [list, field] of [
    ['podIPs', 'status.podIPs'],
    ['hostIPs', 'status.hostIPs'],
  ] as const) {
    for (const [index, entry] of objectsOf(objectOf(pod, 'status'), list).entries()) {
      const ip = textOf(entry, 'ip');
      if (!isIp(ip)) faults.push(invalid(`${field}[${index}]`, ip, IP_TEXT));
    }
  }
}
