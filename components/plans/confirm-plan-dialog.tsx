'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { TypedName } from '@/components/ui/typed-name';
import { planTitle } from '@/lib/kudo/names';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { needsConfirmation, planBlock } from '@/lib/kudo/view/plan-availability';

interface ConfirmPlanDialogProps {
  plan: string;
  row: InstanceRow;
  open: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

/** Shows what a plan does before it starts. A plan that replaces data needs the name of the Instance typed. */
export function ConfirmPlanDialog(props: ConfirmPlanDialogProps) {
  const { plan, row, open, onClose } = props;
  return (
    <Dialog open={open} onClose={onClose} title={`${planTitle(plan)} ${row.name}?`}>
      <ConfirmBody {...props} />
    </Dialog>
  );
}

function ConfirmBody({ plan, row, onClose, onConfirm }: ConfirmPlanDialogProps) {
  const [typed, setTyped] = useState('');
  const block = planBlock(row, plan, false);
  const phases = row.operatorVersionObject?.spec?.plans?.[plan]?.phases ?? [];
  const overwrites = needsConfirmation(plan);
  const isRight = !overwrites || typed === row.name;
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (isRight && block === undefined) onConfirm();
      }}
    >
      {overwrites ? (
        <p>
          Plan <code>{plan}</code> replaces the data of <b className="font-semibold">{row.name}</b>. This cannot be
          undone. Back up first if you are not sure.
        </p>
      ) : (
        <p>
          Plan <code>{plan}</code> runs on <b className="font-semibold">{row.name}</b> in {row.namespace}:
        </p>
      )}
      <ol className="grid list-decimal gap-1 ps-5 text-ink-2">
        {phases.map((phase) => (
          <li key={phase.name}>
            {phase.name}: {(phase.steps ?? []).map((step) => step.name).join(', ')}
          </li>
        ))}
      </ol>
      {overwrites && <TypedName name={row.name} value={typed} onChange={setTyped} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          variant={overwrites ? 'destroy' : 'primary'}
          data-plan={plan}
          disabledReason={block ?? (isRight ? undefined : 'Type the name of the instance to confirm.')}
        >
          Run {plan}
        </Button>
      </div>
    </form>
  );
}
