import { arrayAt, isJsonObject, type JsonObject, type JsonValue, numberAt, objectAt, stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { isTerminating, phaseOf } from '../pods/pod-state';

/** What becomes of a failed pod: it counts, it does not, or it ends its index or its Job at once. */
export interface PodVerdict {
  readonly action: 'Count' | 'Ignore' | 'FailIndex' | 'FailJob';
  /** In Kubernetes' words; empty when no rule fits. */
  readonly message: string;
}

const COUNTS: PodVerdict = { action: 'Count', message: '' };

/** What `podFailurePolicy` says of a failed pod: the first rule that fits (Kubernetes pkg/controller/job pod_failure_policy). */
export function judgePod(job: KubeObject, pod: KubeObject): PodVerdict {
  const where = `${namespaceOf(pod)}/${nameOf(pod)}`;
  for (const [index, rule] of arrayAt(job, 'spec', 'podFailurePolicy', 'rules').entries()) {
    if (!isJsonObject(rule)) continue;
    const action = actionOf(rule);
    const end = `matching ${action} rule at index ${index}`;
    const ended = endedContainer(rule.onExitCodes, pod);
    if (ended !== undefined) {
      return { action, message: `Container ${ended.name} for pod ${where} failed with exit code ${ended.code} ${end}` };
    }
    const condition = matchingCondition(arrayAt(rule, 'onPodConditions'), pod);
    if (condition !== undefined) return { action, message: `Pod ${where} has condition ${condition} ${end}` };
  }
  return COUNTS;
}

function actionOf(rule: JsonObject): PodVerdict['action'] {
  const { action } = rule;
  return action === 'Ignore' || action === 'FailIndex' || action === 'FailJob' ? action : 'Count';
}

/** Why a failed pod ends its Job at once, or undefined. */
export function failureByPolicy(job: KubeObject, pods: readonly KubeObject[]): string | undefined {
  if (arrayAt(job, 'spec', 'podFailurePolicy', 'rules').length === 0) return undefined;
  const found = pods.filter((pod) => hasFailed(job, pod)).map((pod) => judgePod(job, pod));
  return found.find(({ action }) => action === 'FailJob')?.message;
}

/** True when pods are made anew only after others have come to their end (`podReplacementPolicy`). */
export function replacesOnlyFailed(job: KubeObject): boolean {
  const { podReplacementPolicy, podFailurePolicy } = objectAt(job, 'spec');
  return podReplacementPolicy === 'Failed' || podFailurePolicy !== undefined;
}

/** A pod that is being deleted counts as failed too, unless its end is waited for. */
export function hasFailed(job: KubeObject, pod: KubeObject): boolean {
  const phase = phaseOf(pod);
  if (phase === 'Failed') return true;
  return !replacesOnlyFailed(job) && isTerminating(pod) && phase !== 'Succeeded';
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
