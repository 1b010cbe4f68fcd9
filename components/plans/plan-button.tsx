'use client';

import { useState } from 'react';
import { useRightToRun } from '@/components/access/instance-rights';
import { useInstanceView } from '@/components/instance-view/instance-context';
import { Button, type ButtonLook } from '@/components/ui/button';
import { planMetadataOf } from '@/lib/kudo/plan-metadata/plan-metadata';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { asksFirst, planBlock, planTitleOf } from '@/lib/kudo/view/plan-availability';
import { LazyConfirmPlanDialog } from './lazy-confirm-plan-dialog';
import { PlanIcon } from './plan-icon';
import { useRunPlan } from './use-run-plan';

/** Starts a plan. When it is disabled it says why; a plan that deletes or replaces data, or has parameters, opens its dialog first. */
export function PlanButton(props: PlanButtonProps) {
  const { row } = useInstanceView();
  return row === undefined ? null : <PlanOfRow {...props} row={row} />;
}

type PlanButtonProps = { plan: string } & Pick<ButtonLook, 'size' | 'variant'>;

function PlanOfRow({ plan, size, variant, row }: PlanButtonProps & { row: InstanceRow }) {
  const { deleted } = useInstanceView();
  const { missing, block } = useRightToRun(row);
  const [asking, setAsking] = useState(false);
  const run = useRunPlan();
  const { icon } = planMetadataOf(row.operatorVersionObject, plan);
  const asks = asksFirst(row, plan);
  return (
    <>
      <Button
        data-plan={plan}
        size={size ?? 'normal'}
        variant={variant ?? 'default'}
        icon={<PlanIcon plan={plan} icon={icon} />}
        disabledReason={missing ?? planBlock(row, plan, deleted) ?? block}
        busy={run.isPending}
        onClick={() => (asks ? setAsking(true) : run.mutate({ plan }))}
      >
        {planTitleOf(row, plan)}
      </Button>
      {asks && (
        <LazyConfirmPlanDialog
          plan={plan}
          row={row}
          open={asking}
          onClose={() => setAsking(false)}
          onConfirm={(start) => {
            setAsking(false);
            run.mutate(start);
          }}
        />
      )}
    </>
  );
}
