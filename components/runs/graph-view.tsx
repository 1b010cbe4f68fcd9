'use client';

import { ArrowDown, ArrowRight } from 'lucide-react';
import { useUrlState } from '@/components/resources/use-url-state';
import { EmptyState } from '@/components/ui/empty-state';
import { StatusMark } from '@/components/ui/status';
import { spanText } from '@/lib/kudo/view/run-facts';
import { type GraphPhase, runGraph } from '@/lib/kudo/view/run-graph';
import type { RunRow } from '@/lib/kudo/view/run-row';
import { placeOfStep, type StepLine, type TreeLine } from '@/lib/kudo/view/run-tree-lines';
import { usePlanOfRun } from './use-plan-of-run';

/** The phases of a run from left to right, each with its steps: an arrow where one waits for the other. A step is chosen by a click. */
export function GraphView({ row, lines }: { row: RunRow; lines: readonly TreeLine[] }) {
  const { phases, hidden, isSerial } = runGraph(lines, usePlanOfRun(row));
  if (phases.length === 0) return <EmptyState title="No step is recorded yet" />;
  return (
    <div className="p-4">
      {isSerial === false && <p className="mb-3 text-ink-2">The phases run at the same time.</p>}
      <ol aria-label="Graph of the run" className="flex flex-wrap items-start gap-2">
        {phases.map((phase, at) => (
          <li key={phase.line.phase} className="flex min-w-0 items-start gap-2">
            {at > 0 && isSerial === true && (
              <ArrowRight size={16} aria-hidden="true" className="mt-2 shrink-0 text-ink-3" />
            )}
            <Phase phase={phase} />
          </li>
        ))}
      </ol>
      {hidden > 0 && <p className="mt-3 text-ink-2">{hidden} more phases are not drawn.</p>}
    </div>
  );
}

function Phase({ phase: { line, steps, hidden, isSerial } }: { phase: GraphPhase }) {
  return (
    <section
      aria-label={`Phase ${line.phase}`}
      className="min-w-0 rounded-md border bg-sunken p-2"
      data-phase={line.phase}
    >
      <h3 className="flex items-center gap-2 px-1 pb-2 font-semibold text-xs">
        <StatusMark status={line.status} />
        <span className="break-all">{line.phase}</span>
        {isSerial === false && steps.length > 1 && <span className="font-normal text-ink-3">in parallel</span>}
      </h3>
      <ol className={isSerial === false ? 'flex max-w-[420px] flex-wrap gap-2' : 'grid justify-items-stretch gap-1'}>
        {steps.map((step, at) => (
          <li key={step.step} className="min-w-0">
            {at > 0 && isSerial === true && (
              <ArrowDown size={14} aria-hidden="true" className="mx-auto mb-1 text-ink-3" />
            )}
            <Step line={step} />
          </li>
        ))}
      </ol>
      {hidden > 0 && <p className="px-1 pt-2 text-ink-2 text-xs">{hidden} more steps</p>}
    </section>
  );
}

function Step({ line }: { line: StepLine }) {
  const [place, choose] = useUrlState('step');
  const took = spanText(line.seconds);
  const isChosen = place === placeOfStep(line);
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      data-step={line.step}
      onClick={() => choose(placeOfStep(line))}
      className={`flex w-full min-w-0 items-center gap-2 rounded-md border bg-surface px-2 py-1.5 text-start hover:bg-sunken ${isChosen ? 'border-accent' : ''}`}
    >
      <StatusMark status={line.status} />
      <span className="min-w-0 break-all">{line.step}</span>
      {took !== '' && <span className="ms-auto shrink-0 ps-2 text-ink-2 text-xs tabular-nums">{took}</span>}
    </button>
  );
}
