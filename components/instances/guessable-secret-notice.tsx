import { Notice } from '@/components/ui/notice';
import { extraConditionOf } from '@/lib/kudo/plan/conditions';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';

/** Names the Secrets of an Instance whose values an earlier version generated from public fields, and the plan that replaces them. */
export function GuessableSecretNotice({ row }: { row: InstanceRow }) {
  const condition = extraConditionOf(row.instance, 'GuessableSecret');
  if (condition === undefined) return null;
  return (
    <Notice tone="fail" title="A generated secret of this instance can be computed">
      {condition.message}
    </Notice>
  );
}
