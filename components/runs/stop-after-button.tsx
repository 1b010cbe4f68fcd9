'use client';

import { CircleStop } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { laterDialog } from '@/components/ui/later-dialog';
import { loadPart } from '@/components/ui/load-part';
import type { RunRow } from '@/lib/kudo/view/run-row';
import type { TreeLine } from '@/lib/kudo/view/run-tree-lines';

const StopAfterDialog = laterDialog(() =>
  loadPart(() => import('./stop-after-dialog')).then((module) => module.StopAfterDialog),
);

/** Opens the choice of the phase after which a run is held. Not shown for a plan of one phase, where it would be the end. */
export function StopAfterButton({
  row,
  lines,
  block,
  onChoose,
}: {
  row: RunRow;
  lines: readonly TreeLine[];
  /** Why nothing can be chosen; undefined when it can. */
  block: string | undefined;
  /** The empty string is the end. */
  onChoose: (phase: string) => void;
}) {
  const [asks, setAsks] = useState(false);
  const stops = stopsOf(lines);
  if (stops.length === 0) return null;
  return (
    <>
      <Button
        size="small"
        icon={<CircleStop size={14} aria-hidden="true" />}
        disabledReason={block}
        onClick={() => setAsks(true)}
      >
        Stop after<span className="sr-only"> a phase</span>
      </Button>
      <StopAfterDialog
        open={asks}
        row={row}
        stops={stops}
        block={block}
        onClose={() => setAsks(false)}
        onChoose={onChoose}
      />
    </>
  );
}

/** The phases after which something is left to be held. */
function stopsOf(lines: readonly TreeLine[]): readonly TreeLine[] {
  return lines.filter(({ step }) => step === undefined).slice(0, -1);
}
