import { cloneJson, type JsonObject, jsonEqual, numberAt } from '@/lib/json/json';
import { isIp } from '@/lib/schema/formats';
import { objectOf, objectsOf } from '../base/access';
import type { CheckedField } from '../base/checked-field';
import { IP_TEXT } from '../validation/values';

const FIXED =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** What may change in a pod (Kubernetes pkg/apis/core/validation ValidatePodUpdate). */
export function validatePodUpdate(pod: CheckedField, old: JsonObject): void {
  const spec = pod.at('spec');
  const before = objectOf(old, 'spec') ?? {};
  for (const list of ['containers', 'initContainers']) {
    if (spec.at(list).items.length === objectsOf(before, list).length) continue;
    const what = list === 'containers' ? 'containers' : 'init containers';
    spec.at(list).forbidden(`pod updates may not add or remove ${what}`);
    return;
  }
  const deadline = spec.at('activeDeadlineSeconds');
  const then = numberAt(before, 'activeDeadlineSeconds') ?? Number.MAX_VALUE;
  if ((deadline.number ?? 0) > then) deadline.invalid('must be less than or equal to previous value');
  if (!jsonEqual(comparable(spec.object, before), comparable(before, before))) {
    spec.forbidden(`${FIXED}\n${difference('core.PodSpec', spec.object, before)}`);
  }
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

/** A pod's status as its node writes it; this fault names the entry, not its `ip`. */
export function validatePodStatus(pod: CheckedField): void {
  for (const entry of pod.at('status', 'podIPs').items) {
    const ip = entry.at('ip').text;
    if (!isIp(ip)) entry.invalid(IP_TEXT, ip);
  }
}
