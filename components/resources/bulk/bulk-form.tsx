'use client';

import type { ReactNode } from 'react';
import type { ButtonLook } from '@/components/ui/button';
import { Button } from '@/components/ui/button';
import type { BulkAct, BulkTargets } from './bulk-target';
import { OutcomeList } from './outcome-list';
import type { BulkProgress } from './use-bulk-run';

/** The body of a dialog that asks, then runs over the targets, then shows what became of each. */
export function BulkForm({
  targets,
  progress,
  label,
  variant = 'primary',
  block,
  act,
  onClose,
  children,
}: {
  targets: BulkTargets;
  progress: BulkProgress;
  /** What the button does: `Restart 3 Deployments`. */
  label: string;
  variant?: ButtonLook['variant'];
  block: string | undefined;
  act: BulkAct;
  onClose: () => void;
  /** What is asked before the run. */
  children: ReactNode;
}) {
  const { phase, outcomes, start, stop } = progress;
  if (phase !== 'asking') {
    return (
      <div className="grid gap-4">
        <OutcomeList outcomes={outcomes} total={targets.length} />
        <div className="flex justify-end gap-2">
          {phase === 'running' && <Button onClick={stop}>Stop</Button>}
          <Button
            variant="primary"
            disabledReason={phase === 'running' ? 'The action is running.' : undefined}
            onClick={onClose}
          >
            Done
          </Button>
        </div>
      </div>
    );
  }
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (block === undefined) start(act);
      }}
    >
      {children}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant={variant} disabledReason={block}>
          {label}
        </Button>
      </div>
    </form>
  );
}

/** The objects that an action is about, in a box of a few rows. */
export function TargetList({ names }: { names: readonly string[] }) {
  const MOST = 100;
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label="Selected objects"
      className="max-h-32 overflow-y-auto rounded-md border px-3 py-1.5"
    >
      <ul>
        {names.slice(0, MOST).map((name) => (
          <li key={name} className="truncate">
            {name}
          </li>
        ))}
        {names.length > MOST && <li className="text-ink-2">and {names.length - MOST} more</li>}
      </ul>
    </section>
  );
}
