'use client';

import type { LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { useRightToStart } from '@/components/access/instance-lock';
import { useDestroyBlock } from '@/components/access/instance-rights';
import { LazyConfirmPlanDialog } from '@/components/plans/lazy-confirm-plan-dialog';
import { useRunPlan } from '@/components/plans/use-run-plan';
import { Button } from '@/components/ui/button';
import type { BackupPlan } from '@/lib/kudo/runs/backup-plans';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { planBlock } from '@/lib/kudo/view/plan-availability';

interface BackupPlanButtonProps {
  readonly row: InstanceRow;
  readonly found: BackupPlan;
  readonly backup: string;
  readonly isDeleted: boolean;
  readonly icon: LucideIcon;
  /** What the button says, and what follows for people who do not see the row: `Restore`, `from NAME`. */
  readonly label: string;
  readonly spoken: string;
}

/** Opens the dialog of a plan with the name of a backup filled in. Nothing starts before the person confirms it. */
export function BackupPlanButton({ row, found, backup, isDeleted, icon: Icon, label, spoken }: BackupPlanButtonProps) {
  const { missing, block } = useRightToStart(row);
  const destroyBlock = useDestroyBlock(row, found.plan);
  const [asking, setAsking] = useState(false);
  const run = useRunPlan();
  return (
    <>
      <Button
        size="small"
        data-plan={found.plan}
        icon={<Icon size={14} aria-hidden="true" />}
        disabledReason={missing ?? destroyBlock ?? planBlock(row, found.plan, isDeleted) ?? block}
        busy={run.isPending}
        onClick={() => setAsking(true)}
      >
        {label}
        <span className="sr-only"> {spoken}</span>
      </Button>
      <LazyConfirmPlanDialog
        plan={found.plan}
        row={row}
        preset={{ [found.parameter]: backup }}
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
