'use client';

import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { classNames } from '@/components/ui/class-names';
import { Link } from '@/components/ui/link';
import { StatusText } from '@/components/ui/status';
import { TimeAgo } from '@/components/ui/time-ago';
import { toneSolid } from '@/components/ui/tones';
import { useExactTime } from '@/components/ui/use-time-zone';
import type { RecordedRun, RecordedStep } from '@/lib/kudo/plan/run-history';
import type { PlanView } from '@/lib/kudo/view/plan-view';
import { gridRows, resultText, spanText } from '@/lib/kudo/view/run-facts';
import { statusKeyOf, statusWords } from '@/lib/kudo/view/status-words';

/**
 * The last runs of a plan as a grid of steps × runs, the newest last: the result of each step, and the times of the chosen run. The
 * grid is one stop of the Tab key; arrow keys choose another run.
 */
export function RunGrid({
  plan,
  runs,
  pathOf,
}: {
  plan: PlanView;
  runs: readonly RecordedRun[];
  /** The address of a run's page by its uid; undefined for one without a record. */
  pathOf: (uid: string) => string | undefined;
}) {
  const [chosenUid, setChosenUid] = useState<string>();
  const chosenAt = Math.max(0, indexOrLast(runs, chosenUid));
  const chosen = runs[chosenAt];
  const box = useRef<HTMLElement>(null);
  // The newest runs are last: a narrow grid starts scrolled to its end.
  useEffect(() => {
    if (box.current !== null) box.current.scrollLeft = runs.length * COLUMN_PX;
  }, [runs.length]);
  if (chosen === undefined) return null;
  const path = pathOf(chosen.uid);
  const steps = plan.phases.flatMap((phase) => phase.steps.map((step) => ({ phase: phase.name, step: step.name })));
  const longest = Math.max(...runs.map(({ seconds }) => seconds ?? 0), 1);
  const choose = (at: number) => setChosenUid(runs[Math.min(Math.max(at, 0), runs.length - 1)]?.uid);
  return (
    <div className="border-b">
      <p className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-0.5 px-4 pt-2 text-ink-2">
        <b className="font-medium text-ink">{runs.length === 1 ? 'Last run' : `Last ${runs.length} runs`}</b>
        <StatusText status={statusKeyOf(chosen.status)} word={resultText(chosen)} />
        {chosen.endedAt !== '' && <TimeAgo at={chosen.endedAt} />}
        {path !== undefined && (
          <Link href={path} className="link" prefetch={false}>
            Open this run
          </Link>
        )}
      </p>
      <section ref={box} aria-label={`Runs of plan ${plan.name}`} className="overflow-x-auto px-4 pb-3">
        <table className="border-separate border-spacing-0 text-xs">
          <caption className="sr-only">Steps of plan {plan.name} in its last runs, the newest at the end</caption>
          <thead>
            <tr>
              <th scope="col" className="sticky left-0 z-[1] bg-surface">
                <span className="sr-only">Step</span>
              </th>
              {runs.map((run, at) => (
                <th key={run.uid} scope="col" className="p-0 align-bottom">
                  <RunButton
                    run={run}
                    isChosen={at === chosenAt}
                    longest={longest}
                    onChoose={() => choose(at)}
                    onMove={(by) => choose(at + by)}
                  />
                </th>
              ))}
              <th scope="col" className="ps-3 text-end align-bottom font-normal text-ink-2">
                {spanText(chosen.seconds) || 'Time'}
              </th>
            </tr>
          </thead>
          <tbody>
            {gridRows(steps, runs).map(({ phase, step, cells }) => (
              <tr key={`${phase} ${step}`}>
                <th
                  scope="row"
                  className="sticky left-0 z-[1] max-w-[220px] truncate bg-surface pe-3 text-start font-normal max-sm:max-w-[130px]"
                  title={`${phase} / ${step}`}
                >
                  <span className="text-ink-2">{phase} /</span> {step}
                </th>
                {cells.map((cell, at) => (
                  <td key={runs[at]?.uid} className={classNames('p-0', at === chosenAt && 'bg-accent-soft')}>
                    <StepCell cell={cell} />
                  </td>
                ))}
                <td className="num whitespace-nowrap ps-3 text-end text-ink-2">
                  {spanText(cells[chosenAt]?.seconds) || '—'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

const COLUMN_PX = 24;
const BAR_PX = 34;

function indexOrLast(runs: readonly RecordedRun[], uid: string | undefined): number {
  const at = runs.findIndex((run) => run.uid === uid);
  return at < 0 ? runs.length - 1 : at;
}

/** A run as a bar; the longer the run, the higher the bar. */
function RunButton({
  run,
  isChosen,
  longest,
  onChoose,
  onMove,
}: {
  run: RecordedRun;
  isChosen: boolean;
  longest: number;
  onChoose: () => void;
  onMove: (by: number) => void;
}) {
  const exact = useExactTime();
  const button = useRef<HTMLButtonElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = moves[event.key];
    if (by === undefined) return;
    event.preventDefault();
    onMove(by);
    const row = button.current?.closest('tr');
    const buttons = [...(row?.querySelectorAll('button') ?? [])];
    const here = buttons.indexOf(button.current as HTMLButtonElement);
    buttons[Math.min(Math.max(here + by, 0), buttons.length - 1)]?.focus();
  };
  const height = Math.max(4, Math.round(((run.seconds ?? 0) / longest) * BAR_PX));
  return (
    <button
      ref={button}
      type="button"
      aria-pressed={isChosen}
      aria-label={`${resultText(run)}, ${run.endedAt === '' ? 'time unknown' : exact(run.endedAt)}`}
      title={`${resultText(run)}${run.endedAt === '' ? '' : `, ${exact(run.endedAt)}`}`}
      tabIndex={isChosen ? 0 : -1}
      onClick={onChoose}
      onKeyDown={onKeyDown}
      className={classNames(
        'flex w-6 items-end justify-center rounded-t-sm pb-1 focus-visible:-outline-offset-2',
        isChosen ? 'bg-accent-soft' : 'hover:bg-sunken',
      )}
      style={{ height: BAR_PX + 8 }}
    >
      <span
        className={classNames('state-cell w-2.5 rounded-[2px]', toneSolid[statusWords[run.status].tone])}
        style={{ height }}
      />
    </button>
  );
}

const moves: { readonly [key: string]: number } = { ArrowLeft: -1, ArrowRight: 1, Home: -1_000, End: 1_000 };

/** How a step ended: full, with a cross when it failed, hollow when it was not reached. */
function StepCell({ cell }: { cell: RecordedStep | undefined }) {
  const text = cell === undefined ? 'No such step' : resultText(cell);
  const isReached = cell !== undefined && cell.status !== 'NEVER_RUN' && cell.status !== 'PENDING';
  return (
    <span className="grid h-[22px] w-6 place-items-center" title={text}>
      <span
        className={classNames(
          'state-cell grid size-3.5 place-items-center rounded-[3px] text-surface',
          isReached && cell.status !== 'FATAL_ERROR' && toneSolid[statusWords[cell.status].tone],
          isReached && cell.status === 'FATAL_ERROR' && 'bg-fail',
          !isReached && cell !== undefined && 'ring-1 ring-line-strong ring-inset',
        )}
      >
        {cell?.status === 'FATAL_ERROR' && (
          <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true" stroke="currentColor" strokeWidth="1.75">
            <path d="m1.5 1.5 5 5m0-5-5 5" />
          </svg>
        )}
      </span>
      <span className="sr-only">{text}</span>
    </span>
  );
}
