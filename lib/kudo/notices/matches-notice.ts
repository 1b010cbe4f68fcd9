import { matchesNamePattern } from './name-pattern';
import type { NoticeResult, NoticeRule } from './notice';

/** What of a run decides who is told of it. */
export interface NoticeSubject {
  readonly namespace: string;
  readonly plan: string;
  /** Of its Instance; none when it does not exist any more. */
  readonly labels: { readonly [label: string]: string };
}

/** True when a notice is about this result of this run. */
export function matchesNotice(notice: NoticeRule, subject: NoticeSubject, result: NoticeResult): boolean {
  return (
    notice.results.includes(result) &&
    notice.namespaces.some((pattern) => matchesNamePattern(pattern, subject.namespace)) &&
    (notice.plans.length === 0 || notice.plans.some((pattern) => matchesNamePattern(pattern, subject.plan))) &&
    Object.entries(notice.matchLabels).every(
      ([label, value]) => Object.hasOwn(subject.labels, label) && subject.labels[label] === value,
    )
  );
}
