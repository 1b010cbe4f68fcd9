'use client';

import { ArchiveRestore, Play, Save } from 'lucide-react';
import { useState } from 'react';
import { useRightToRun } from '@/components/access/instance-rights';
import { useInstanceView } from '@/components/instance-view/instance-context';
import { Button, type ButtonLook } from '@/components/ui/button';
import { planTitle } from '@/lib/kudo/names';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { needsConfirmation, planBlock } from '@/lib/kudo/view/plan-availability';
import { LazyConfirmPlanDialog } from './lazy-confirm-plan-dialog';
import { useRunPlan } from './use-run-plan';

const icons: { readonly [plan: string]: typeof Play } = { backup: Save, restore: ArchiveRestore };

/** Starts a plan. When it is disabled it says why; a plan that replaces data asks for the name of the Instance first. */
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
  const Icon = icons[plan] ?? Play;
  return (
    <>
      <Button
        data-plan={plan}
        size={size ?? 'normal'}
        variant={variant ?? 'default'}
        icon={<Icon size={15} strokeWidth={1.75} aria-hidden="true" className="max-sm:hidden" />}
        disabledReason={missing ?? planBlock(row, plan, deleted) ?? block}
        busy={run.isPending}
        onClick={() => (needsConfirmation(plan) ? setAsking(true) : run.mutate(plan))}
      >
        {planTitle(plan)}
      </Button>
      {needsConfirmation(plan) && (
        <LazyConfirmPlanDialog
          plan={plan}
          row={row}
          open={asking}
          onClose={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false);
            run.mutate(plan);
          }}
        />
      )}
    </>
  );
}
