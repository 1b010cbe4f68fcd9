import { arrayAt, numberAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { parseIndexes } from './job-pods';

/**
 * Why an Indexed Job counts as done before all of its indexes are, in Kubernetes' words, or undefined
 * (Kubernetes pkg/controller/job success_policy).
 */
export function metSuccessPolicy(job: KubeObject, succeeded: ReadonlySet<number>): string | undefined {
  for (const [index, rule] of arrayAt(job, 'spec', 'successPolicy', 'rules').entries()) {
    const text = stringAt(rule, 'succeededIndexes');
    const wanted = text === undefined ? succeeded : parseIndexes(text, numberAt(job, 'spec', 'completions') ?? 0);
    const reached = [...wanted].filter((each) => succeeded.has(each)).length;
    if (reached >= (numberAt(rule, 'succeededCount') ?? wanted.size)) return `Matched rules at index ${index}`;
  }
  return undefined;
}
