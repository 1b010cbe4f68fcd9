import type { KubeObject } from '@/lib/kube/object';
import { NO_INPUTS } from '@/lib/kudo/live-values/live-inputs';
import { judgeApplied, ruleFacts } from '@/lib/kudo/live-values/live-objects';
import { liveValuesOf } from '@/lib/kudo/live-values/live-values';
import type { RuleVerdict } from '@/lib/kudo/live-values/rule-expression';
import type { Task } from '@/lib/kudo/types';
import type { TaskContext, TaskObjects } from './context';

/**
 * What `readyWhen` of the task says of its objects as the API server stored them; objects that no rule is about are missing.
 *
 * @param applied `results` are the objects of `rendered`, in their order
 */
export function ruleVerdicts(
  task: Task,
  applied: { readonly rendered: TaskObjects; readonly results: readonly KubeObject[] },
  context: TaskContext,
): ReadonlyMap<KubeObject, RuleVerdict> {
  const verdicts = new Map<KubeObject, RuleVerdict>();
  const rules = liveValuesOf(context.operatorVersion, task.name);
  if (rules.rules.length === 0) return verdicts;
  const { templates = [], live = NO_INPUTS } = applied.rendered;
  const facts = ruleFacts(context.instance, context.operatorVersion, live.objects);
  for (const [index, object] of applied.results.entries()) {
    const verdict = judgeApplied(rules, { object, template: templates[index] ?? '' }, facts);
    if (verdict === undefined) continue;
    verdicts.set(object, verdict);
    if (verdict !== 'holds') context.awaits?.(object);
  }
  return verdicts;
}
