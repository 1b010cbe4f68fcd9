'use client';

import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useRightToStart } from '@/components/access/instance-lock';
import { useInstanceView } from '@/components/instance-view/instance-context';
import { CopyStart } from '@/components/plans/copy-start';
import { LazyConfirmPlanDialog } from '@/components/plans/lazy-confirm-plan-dialog';
import { type PlanToStart, useRunPlan } from '@/components/plans/use-run-plan';
import { Button } from '@/components/ui/button';
import { useRouter } from '@/components/ui/navigation';
import { CLEANUP_PLAN } from '@/lib/kudo/names';
import { instancePath } from '@/lib/kudo/view/instance-path';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { asksFirst, planBlock } from '@/lib/kudo/view/plan-availability';
import type { RunRow } from '@/lib/kudo/view/run-row';

/** The same plan again, for a run that did not come to its end; it goes on at the step that failed. */
export function RetryButton({ row }: { row: RunRow }) {
  const { row: instance, deleted } = useInstanceView();
  if (row.status === 'COMPLETE') return null;
  const isThere = instance !== undefined && instance.instance.metadata.uid === row.run.spec?.instanceUid && !deleted;
  if (isThere) return <RetryOf row={row} instance={instance} />;
  return <RetryLook disabledReason={`Instance ${row.instance} of this run does not exist any more.`} />;
}

function RetryOf({ row, instance }: { row: RunRow; instance: InstanceRow }) {
  const router = useRouter();
  const run = useRunPlan();
  const { missing, block } = useRightToStart(instance);
  const [asking, setAsking] = useState(false);
  const start = (wishes: PlanToStart) => {
    setAsking(false);
    const onSuccess = () => router.push(instancePath(row.namespace, row.instance, 'plans'));
    run.mutate({ ...wishes, retryOf: row.name }, { onSuccess });
  };
  const asks = asksFirst(instance, row.plan);
  const disabledReason = missing ?? planBlock(instance, row.plan, false) ?? block;
  return (
    <>
      <RetryLook
        disabledReason={disabledReason}
        busy={run.isPending}
        onClick={() => (asks ? setAsking(true) : start({ plan: row.plan }))}
      />
      {!asks && (
        <>
          {/* The parameters of an Instance that is being deleted cannot be changed. */}
          {row.plan !== CLEANUP_PLAN && (
            <Button size="small" disabledReason={disabledReason} onClick={() => setAsking(true)}>
              Retry with changes…
            </Button>
          )}
          <CopyStart row={instance} start={{ plan: row.plan, retryOf: row.name }} />
        </>
      )}
      <LazyConfirmPlanDialog
        plan={row.plan}
        row={instance}
        retryOf={row.name}
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={start}
      />
    </>
  );
}

function RetryLook(props: { disabledReason: string | undefined; busy?: boolean; onClick?: () => void }) {
  return (
    <Button size="small" icon={<RotateCcw size={14} aria-hidden="true" />} {...props}>
      Retry
    </Button>
  );
}
