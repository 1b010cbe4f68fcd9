'use client';

import { CircleStop } from 'lucide-react';
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
  lines: readonly TreeLine[];
  /** Why nothing can be chosen; undefined when it can. */
  block: string | undefined;
  /** The empty string is the end. */
  onChoose: (phase: string) => void;
}

/** Chooses the phase after which a run is held. Not shown for a plan of one phase, where it would be the end. */
export function StopAfterButton(props: StopAfterProps) {
  const [asks, setAsks] = useState(false);
  if (stopsOf(props.lines).length === 0) return null;
  return (
    <>
      <Button
        size="small"
        icon={<CircleStop size={14} aria-hidden="true" />}
        disabledReason={props.block}
        onClick={() => setAsks(true)}
      >
        Stop after<span className="sr-only"> a phase</span>
      </Button>
      <Dialog open={asks} onClose={() => setAsks(false)} title={`Stop run ${props.row.name} after a phase?`}>
        <StopAfterForm {...props} onClose={() => setAsks(false)} />
      </Dialog>
    </>
  );
}

function StopAfterForm({ row, lines, block, onChoose, onClose }: StopAfterProps & { onClose: () => void }) {
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
            {stopsOf(lines).map(({ phase: name, status }) => (
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

/** The phases after which something is left to be held. */
function stopsOf(lines: readonly TreeLine[]): readonly TreeLine[] {
  return lines.filter(({ step }) => step === undefined).slice(0, -1);
}
