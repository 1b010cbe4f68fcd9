'use client';

import { ArchiveRestore, Play, Save } from 'lucide-react';
import { useState } from 'react';
import { toChange } from '@/components/access/instance-rights';
import { useAccess } from '@/components/access/use-access';
import { useInstanceView } from '@/components/instances/instance-context';
import { needsConfirmation, planBlock } from '@/components/instances/plan-availability';
import { Button, type ButtonLook } from '@/components/ui/button';
import { planTitle } from '@/lib/kudo/names';
import { LazyConfirmPlanDialog } from './lazy-confirm-plan-dialog';
import { useRunPlan } from './use-run-plan';

const icons: { readonly [plan: string]: typeof Play } = { backup: Save, restore: ArchiveRestore };

/** Starts a plan. Says why when it cannot; a plan that overwrites data asks for the Instance's name first. */
export function PlanButton({ plan, size, variant }: { plan: string } & Pick<ButtonLook, 'size' | 'variant'>) {
  const { row, deleted, namespace } = useInstanceView();
  const { block } = useAccess(toChange(namespace));
  const [asking, setAsking] = useState(false);
  const run = useRunPlan();
  if (row === undefined) return null;
  const Icon = icons[plan] ?? Play;
  return (
    <>
      <Button
        data-plan={plan}
        aria-label={`Run plan ${plan}`}
        size={size ?? 'normal'}
        variant={variant ?? 'default'}
        icon={<Icon size={15} strokeWidth={1.75} aria-hidden="true" className="max-sm:hidden" />}
        disabledReason={planBlock(row, plan, deleted) ?? block}
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
