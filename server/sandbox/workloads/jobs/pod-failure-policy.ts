import { arrayAt, type JsonValue, numberAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { nameOf, namespaceOf } from '@/lib/kube/object';

/** What the first rule of a Job's `podFailurePolicy` that matches a failed pod says. */
export interface FailureRule {
  /** `FailJob`, `Ignore`, `Count`; `FailIndex` counts as `Count`, because there is no limit of failures for an index. */
  readonly action: string;
  readonly message: string;
}

/** The rule for a failed pod (Kubernetes pkg/controller/job/pod_failure_policy.go); undefined when none matches. */
export function failureRule(job: KubeObject, pod: KubeObject): FailureRule | undefined {
  for (const [index, rule] of arrayAt(job, 'spec', 'podFailurePolicy', 'rules').entries()) {
    const action = stringAt(rule, 'action') ?? '';
    const match = exitCodeMatch(rule, pod) ?? conditionMatch(rule, pod);
    if (match !== undefined) return { action, message: `${match} matching ${action} rule at index ${index}` };
  }
  return undefined;
}

function exitCodeMatch(rule: JsonValue, pod: KubeObject): string | undefined {
  const only = stringAt(rule, 'onExitCodes', 'containerName');
  const values = arrayAt(rule, 'onExitCodes', 'values');
  const wanted = stringAt(rule, 'onExitCodes', 'operator') === 'In';
  if (stringAt(rule, 'onExitCodes', 'operator') === undefined) return undefined;
  const statuses = ['containerStatuses', 'initContainerStatuses'].flatMap((list) => arrayAt(pod, 'status', list));
  for (const status of statuses) {
    const name = stringAt(status, 'name') ?? '';
    const code = numberAt(status, 'state', 'terminated', 'exitCode') ?? 0;
    if (code === 0 || (only !== undefined && only !== name) || values.includes(code) !== wanted) continue;
    return `Container ${name} for pod ${namespaceOf(pod)}/${nameOf(pod)} failed with exit code ${code}`;
  }
  return undefined;
}

function conditionMatch(rule: JsonValue, pod: KubeObject): string | undefined {
  for (const wanted of arrayAt(rule, 'onPodConditions')) {
    const type = stringAt(wanted, 'type') ?? '';
    const status = stringAt(wanted, 'status') ?? 'True';
    const has = arrayAt(pod, 'status', 'conditions').some(
      (condition) => stringAt(condition, 'type') === type && stringAt(condition, 'status') === status,
    );
    if (has) return `Pod ${namespaceOf(pod)}/${nameOf(pod)} has condition ${type}`;
  }
  return undefined;
}
