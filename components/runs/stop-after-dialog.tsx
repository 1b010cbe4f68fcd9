'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/input';
import type { RunRow } from '@/lib/kudo/view/run-row';
import type { TreeLine } from '@/lib/kudo/view/run-tree-lines';
import { CopySteering } from './copy-steering';

interface StopAfterProps {
  row: RunRow;
  /** The phases after which the run can be held. */
  stops: readonly TreeLine[];
  /** Why nothing can be chosen; undefined when it can. */
  block: string | undefined;
  onClose: () => void;
  /** The empty string is the end. */
  onChoose: (phase: string) => void;
}

/** Chooses the phase after which a run is held. */
export function StopAfterDialog({ open, ...props }: StopAfterProps & { open: boolean }) {
  return (
    <Dialog open={open} onClose={props.onClose} title={`Stop run ${props.row.name} after a phase?`}>
      <StopAfterForm {...props} />
    </Dialog>
  );
}

function StopAfterForm({ row, stops, block, onChoose, onClose }: StopAfterProps) {
  const before = row.run.spec?.stopAfter ?? '';
  const [phase, setPhase] = useState(before);
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        onClose();
        onChoose(phase);
      }}
    >
      <p>When the phase is complete the run is held, until it is resumed.</p>
      <Field label="Stop after">
        {(wiring) => (
          <Select {...wiring} value={phase} onChange={(event) => setPhase(event.target.value)}>
            <option value="">the end</option>
            {stops.map(({ phase: name, status }) => (
              <option key={name} value={name} disabled={status === 'COMPLETE'}>
                phase {name}
                {status === 'COMPLETE' && ' (complete)'}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <div className="flex flex-wrap items-center justify-end gap-2">
        <span className="me-auto">
          <CopySteering row={row} wish={{ do: 'stop-after', phase }} />
        </span>
        <Button onClick={onClose}>Keep it</Button>
        <Button
          type="submit"
          variant="primary"
          disabledReason={block ?? (phase === before ? 'Choose another phase.' : undefined)}
        >
          {phase === '' ? 'Run to the end' : 'Stop there'}
        </Button>
      </div>
    </form>
  );
}
