import { arrayAt, isJsonObject, type JsonObject, type JsonValue, numberAt, stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { phaseOf } from '../pods/pod-state';

/**
 * Why a failed pod ends its Job at once, in Kubernetes' words, or undefined: the first rule of `podFailurePolicy` that fits
 * the pod is FailJob (Kubernetes pkg/controller/job pod_failure_policy). Pods are still counted under the other actions.
 */
export function failureByPolicy(job: KubeObject, pods: readonly KubeObject[]): string | undefined {
  const rules = arrayAt(job, 'spec', 'podFailurePolicy', 'rules').filter(isJsonObject);
  if (rules.length === 0) return undefined;
  for (const pod of pods) {
    if (phaseOf(pod) !== 'Failed') continue;
    const found = firstMatch(rules, pod);
    if (found?.action === 'FailJob') return found.message;
  }
  return undefined;
}

interface Match {
  readonly action: string;
  readonly message: string;
}

function firstMatch(rules: readonly JsonObject[], pod: KubeObject): Match | undefined {
  const where = `${namespaceOf(pod)}/${nameOf(pod)}`;
  for (const [index, rule] of rules.entries()) {
    const action = stringAt(rule, 'action') ?? '';
    const end = `matching ${action} rule at index ${index}`;
    const ended = endedContainer(rule.onExitCodes, pod);
    if (ended !== undefined) {
      return { action, message: `Container ${ended.name} for pod ${where} failed with exit code ${ended.code} ${end}` };
    }
    const condition = matchingCondition(arrayAt(rule, 'onPodConditions'), pod);
    if (condition !== undefined) return { action, message: `Pod ${where} has condition ${condition} ${end}` };
  }
  return undefined;
}

function endedContainer(wanted: JsonValue | undefined, pod: KubeObject): { name: string; code: number } | undefined {
  if (!isJsonObject(wanted)) return undefined;
  const values = arrayAt(wanted, 'values');
  const only = stringAt(wanted, 'containerName');
  for (const status of [
    ...arrayAt(pod, 'status', 'containerStatuses'),
    ...arrayAt(pod, 'status', 'initContainerStatuses'),
  ]) {
    const name = stringAt(status, 'name') ?? '';
    const code = numberAt(status, 'state', 'terminated', 'exitCode') ?? 0;
    if (code === 0 || (only !== undefined && only !== name)) continue;
    if (values.includes(code) === (wanted.operator === 'In')) return { name, code };
  }
  return undefined;
}

function matchingCondition(wanted: readonly JsonValue[], pod: KubeObject): string | undefined {
  for (const pattern of wanted) {
    const type = stringAt(pattern, 'type');
    const status = stringAt(pattern, 'status') ?? 'True';
    const conditions = arrayAt(pod, 'status', 'conditions');
    if (conditions.some((each) => stringAt(each, 'type') === type && stringAt(each, 'status') === status)) return type;
  }
  return undefined;
}
