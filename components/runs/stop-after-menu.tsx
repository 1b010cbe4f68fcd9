'use client';

import { CircleStop } from 'lucide-react';
import { Menu } from '@/components/ui/menu';
import type { TreeLine } from '@/lib/kudo/view/run-tree-lines';

/** Chooses the phase after which a run is held. Not shown for a plan of one phase, where it would be the end. */
export function StopAfterMenu({
  lines,
  stopAfter,
  block,
  onChoose,
}: {
  lines: readonly TreeLine[];
  /** The chosen phase, or the empty string. */
  stopAfter: string;
  /** Why nothing can be chosen; undefined when it can. */
  block: string | undefined;
  onChoose: (phase: string) => void;
}) {
  const phases = lines.filter(({ step }) => step === undefined).slice(0, -1);
  if (phases.length === 0) return null;
  return (
    <Menu
      label="Stop after a phase"
      className="btn !h-[26px] !px-[9px] !text-xs"
      trigger={
        <>
          <CircleStop size={14} aria-hidden="true" />
          Stop after
        </>
      }
      entries={[
        ...phases.map(({ phase, status }) => ({
          key: `phase ${phase}`,
          label: phase,
          checked: phase === stopAfter,
          disabledReason: block ?? (status === 'COMPLETE' ? 'The phase is complete.' : undefined),
          onSelect: () => onChoose(phase),
        })),
        {
          key: 'end',
          label: 'Run to the end',
          checked: stopAfter === '',
          disabledReason: block,
          onSelect: () => onChoose(''),
        },
      ]}
    />
  );
}
