'use client';

import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { useRightToStart } from '@/components/access/instance-lock';
import { useDestroyBlock } from '@/components/access/instance-rights';
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

interface PlanButtonProps extends Pick<ButtonLook, 'size' | 'variant'> {
  plan: string;
  /** Adds a button that opens the dialog of a plan which starts without one: for a reason, and a phase to stop after. */
  withOptions?: boolean;
}

function PlanOfRow({ plan, size, variant, withOptions = false, row }: PlanButtonProps & { row: InstanceRow }) {
  const { deleted } = useInstanceView();
  const { missing, block } = useRightToStart(row);
  const [asking, setAsking] = useState(false);
  const run = useRunPlan();
  const { icon } = planMetadataOf(row.operatorVersionObject, plan);
  const asks = asksFirst(row, plan);
  const destroyBlock = useDestroyBlock(row, plan);
  const disabledReason = missing ?? destroyBlock ?? planBlock(row, plan, deleted) ?? block;
  const title = planTitleOf(row, plan);
  return (
    <>
      <Button
        data-plan={plan}
        size={size ?? 'normal'}
        variant={variant ?? 'default'}
        icon={<PlanIcon plan={plan} icon={icon} />}
        disabledReason={disabledReason}
        busy={run.isPending}
        onClick={() => (asks ? setAsking(true) : run.mutate({ plan }))}
      >
        {title}
      </Button>
      {withOptions && !asks && (
        <Button
          variant="quiet"
          size={size ?? 'normal'}
          iconOnly
          icon={<Ellipsis size={15} aria-hidden="true" />}
          disabledReason={disabledReason}
          onClick={() => setAsking(true)}
        >
          {title} with a reason or a stop
        </Button>
      )}
      {(asks || withOptions) && (
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
