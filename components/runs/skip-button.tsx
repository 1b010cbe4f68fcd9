'use client';

import { useState } from 'react';
import { useAccess } from '@/components/access/use-access';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Textarea } from '@/components/ui/input';
import { toSteer } from '@/lib/kudo/view/action-rights';
import type { RunRow } from '@/lib/kudo/view/run-row';
import type { StepLine } from '@/lib/kudo/view/run-tree-lines';
import { CopySteering } from './copy-steering';
import { cancelBlock } from './steering-rights';
import { useSteer } from './use-steer';

/** Lets a step count as done, with the reason of the person. */
export function SkipButton({ row, line }: { row: RunRow; line: StepLine }) {
  const { phase, step } = line;
  const steer = useSteer(row);
  const { block } = useAccess(toSteer(row.namespace));
  const [asks, setAsks] = useState(false);
  const [reason, setReason] = useState('');
  return (
    <>
      <Button size="small" disabledReason={skipBlock(row, line) ?? block} onClick={() => setAsks(true)}>
        Skip step<span className="sr-only"> {step}</span>
      </Button>
      <Dialog open={asks} onClose={() => setAsks(false)} title={`Skip step ${step}?`}>
        <form
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            if (reason.trim() === '') return;
            setAsks(false);
            steer.mutate({ do: 'skip', phase, step, reason: reason.trim() });
          }}
        >
          <p>
            The step counts as done, and the run goes on with the next one. Nothing that the step has begun is undone,
            and later steps may need what it would have made.
          </p>
          <Field label="Reason" required hint="It is kept in the record of the run.">
            {(wiring) => (
              <Textarea
                {...wiring}
                data-first-focus=""
                value={reason}
                onChange={(event) => setReason(event.target.value)}
              />
            )}
          </Field>
          <div className="flex flex-wrap items-center justify-end gap-2">
            <span className="me-auto">
              <CopySteering row={row} wish={{ do: 'skip', phase, step, reason: reason.trim() }} />
            </span>
            <Button onClick={() => setAsks(false)}>Keep it</Button>
            <Button
              type="submit"
              variant="destroy"
              disabledReason={reason.trim() === '' ? 'Say why the step may be left out.' : undefined}
            >
              Skip step
            </Button>
          </div>
        </form>
      </Dialog>
    </>
  );
}

/** Why a step cannot be skipped; undefined when it can. */
function skipBlock(row: RunRow, { status, canBeSkipped }: StepLine): string | undefined {
  if (status === 'COMPLETE') return 'The step is complete.';
  if (status === 'skipped') return 'The step is skipped.';
  return canBeSkipped ? cancelBlock(row) : 'The step is skipped when its turn comes.';
}
