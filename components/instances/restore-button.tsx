'use client';

import { ArchiveRestore } from 'lucide-react';
import { useState } from 'react';
import { useRightToStart } from '@/components/access/instance-lock';
import { LazyConfirmPlanDialog } from '@/components/plans/lazy-confirm-plan-dialog';
import { useRunPlan } from '@/components/plans/use-run-plan';
import { Button } from '@/components/ui/button';
import type { RestorePlan } from '@/lib/kudo/runs/backups';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { planBlock } from '@/lib/kudo/view/plan-availability';

/** Opens the dialog of the plan that restores, with the name of a backup filled in. Nothing starts before the person confirms it. */
export function RestoreButton({
  row,
  restore,
  backup,
  isDeleted,
}: {
  row: InstanceRow;
  restore: RestorePlan;
  backup: string;
  isDeleted: boolean;
}) {
  const { missing, block } = useRightToStart(row);
  const [asking, setAsking] = useState(false);
  const run = useRunPlan();
  return (
    <>
      <Button
        size="small"
        data-plan={restore.plan}
        icon={<ArchiveRestore size={14} aria-hidden="true" />}
        disabledReason={missing ?? planBlock(row, restore.plan, isDeleted) ?? block}
        busy={run.isPending}
        onClick={() => setAsking(true)}
      >
        Restore<span className="sr-only"> from {backup}</span>
      </Button>
      <LazyConfirmPlanDialog
        plan={restore.plan}
        row={row}
        preset={{ [restore.parameter]: backup }}
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={(start) => {
          setAsking(false);
          run.mutate(start);
        }}
      />
    </>
  );
}
