'use client';

import { type KeyboardEvent, memo, useCallback, useEffect, useRef } from 'react';
import { classNames } from '@/components/ui/class-names';
import { StatusMark } from '@/components/ui/status';
import { useVirtualRows } from '@/components/ui/use-virtual-rows';
import { plainMessage } from '@/lib/kudo/view/instance-state';
import { NOT_REACHED, spanText } from '@/lib/kudo/view/run-facts';
import type { RunRow } from '@/lib/kudo/view/run-row';
import { type StepLine, stepLines, type TreeLine } from '@/lib/kudo/view/run-tree-lines';
import { statusWords } from '@/lib/kudo/view/status-words';
import { usePlanOfRun } from './use-plan-of-run';

const LINE_PX = 36;

/**
 * Phases and steps with their state, in a box that scrolls. Of a plan with very many steps only those in view are drawn. One stop of
 * the Tab key; arrow keys choose.
 */
export function RunTree({
  row,
  lines,
  shown,
  onChoose,
}: {
  row: RunRow;
  lines: readonly TreeLine[];
  shown: StepLine | undefined;
  onChoose: (line: StepLine) => void;
}) {
  const { ref, first, last, before, after } = useVirtualRows<HTMLUListElement>(lines.length, LINE_PX);
  const strategies = useStrategies(row);
  const shownAt = shown === undefined ? -1 : lines.findIndex((line) => isSame(line, shown));
  const { box, focusOn } = useShownLine(shownAt, `${first} ${last}`);
  const stop =
    shownAt >= first && shownAt < last ? shownAt : lines.findIndex((line, at) => at >= first && isStep(line));
  const onKeyDown = (event: KeyboardEvent) => {
    const next = targetOf(event.key, stepLines(lines), shown);
    if (next === undefined) return;
    event.preventDefault();
    focusOn(lines.findIndex((line) => isSame(line, next)));
    onChoose(next);
  };
  return (
    <div ref={box} className="max-h-[46dvh] overflow-y-auto overscroll-contain lg:max-h-[calc(100dvh-320px)]">
      <ul
        ref={ref}
        aria-label="Phases and steps"
        onKeyDown={onKeyDown}
        style={{ paddingTop: before, paddingBottom: after }}
      >
        {lines
          .slice(first, last)
          .map((line, index) =>
            isStep(line) ? (
              <StepItem
                key={`${line.phase}/${line.step}`}
                line={line}
                isOver={row.isOver}
                isShown={first + index === shownAt}
                isStop={first + index === stop}
                onChoose={onChoose}
              />
            ) : (
              <PhaseItem key={line.phase} line={line} strategy={strategies.get(line.phase)} />
            ),
          )}
      </ul>
    </div>
  );
}

function PhaseItem({ line, strategy }: { line: TreeLine; strategy: string | undefined }) {
  return (
    <li
      data-phase={line.phase}
      data-status={line.status}
      className="flex min-h-9 items-center gap-2 border-b bg-sunken px-4 font-semibold text-ink-2 text-xs"
    >
      <StatusMark status={line.status} />
      <span className="min-w-0 truncate" title={line.phase}>
        {line.phase}
      </span>
      {strategy !== undefined && <span className="ms-auto shrink-0 font-normal text-ink-3">{strategy}</span>}
    </li>
  );
}

const StepItem = memo(function StepItem({
  line,
  isOver,
  isShown,
  isStop,
  onChoose,
}: {
  line: StepLine;
  /** True when the run is: a step that has not begun then never does. */
  isOver: boolean;
  isShown: boolean;
  isStop: boolean;
  onChoose: (line: StepLine) => void;
}) {
  const message = line.status === 'COMPLETE' ? '' : plainMessage(line.message);
  const took = spanText(line.seconds);
  const isNotReached = isOver && (line.status === 'PENDING' || line.status === 'NEVER_RUN');
  const word = isNotReached ? NOT_REACHED : statusWords[line.status].word;
  return (
    <li data-phase={line.phase} data-step={line.step} data-status={line.status} className="border-b last:border-b-0">
      <button
        type="button"
        aria-current={isShown ? 'true' : undefined}
        tabIndex={isStop ? 0 : -1}
        onClick={() => onChoose(line)}
        className={classNames(
          'grid min-h-9 w-full grid-cols-[18px_minmax(0,1fr)_auto] items-center gap-x-2.5 py-1.5 ps-8 pe-4 text-start focus-visible:-outline-offset-2',
          isShown ? 'bg-accent-soft' : 'hover:bg-sunken',
        )}
      >
        <StatusMark status={line.status} word={word} />
        <span className="min-w-0 truncate font-medium" title={line.step}>
          {line.step}
        </span>
        <span className="text-ink-2 text-xs tabular-nums">
          {line.attempts > 1 && `${line.attempts} attempts${took === '' ? '' : ' · '}`}
          {took === '' && line.status !== 'COMPLETE' ? word : took}
        </span>
        {message !== '' && (
          <span
            className={classNames(
              'col-span-2 col-start-2 truncate text-xs',
              line.status === 'FATAL_ERROR' ? 'text-fail' : 'text-ink-2',
            )}
          >
            {message}
          </span>
        )}
      </button>
    </li>
  );
});

/** Keeps the shown line in view of its box, and gives it the focus when a key chose it. */
function useShownLine(at: number, drawn: string) {
  const box = useRef<HTMLDivElement>(null);
  const wanted = useRef(-1);
  const focusWanted = useCallback(() => {
    const button = wanted.current === at ? box.current?.querySelector<HTMLElement>('[aria-current]') : null;
    if (button == null) return;
    wanted.current = -1;
    button.focus({ preventScroll: true });
  }, [at]);
  useEffect(() => {
    const element = box.current;
    if (element === null || at < 0) return;
    const line = element.querySelector('[aria-current]')?.getBoundingClientRect();
    const { top, bottom, height } = element.getBoundingClientRect();
    if (line === undefined) element.scrollTop = at * LINE_PX - height / 3;
    else if (line.top < top || line.bottom > bottom) element.scrollTop += line.top - top - height / 3;
  }, [at]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the line may be drawn only after the box has scrolled
  useEffect(focusWanted, [focusWanted, drawn]);
  return {
    box,
    /** The line is shown a moment later, after the address has changed; until then it may not be drawn. */
    focusOn: (line: number) => {
      wanted.current = line;
      focusWanted();
    },
  };
}

/** Whether the steps of each phase run in order. */
function useStrategies(row: RunRow): ReadonlyMap<string, string> {
  const phases = usePlanOfRun(row)?.phases ?? [];
  return new Map(phases.map(({ name, strategy }) => [name, strategy === 'serial' ? 'in order' : 'in parallel']));
}

function targetOf(key: string, steps: readonly StepLine[], shown: StepLine | undefined): StepLine | undefined {
  const at = shown === undefined ? -1 : steps.findIndex((line) => isSame(line, shown));
  if (key === 'ArrowDown') return steps[at + 1];
  if (key === 'ArrowUp') return steps[at - 1];
  if (key === 'Home') return steps[0];
  return key === 'End' ? steps.at(-1) : undefined;
}

function isSame(a: TreeLine, b: TreeLine): boolean {
  return a.phase === b.phase && a.step === b.step;
}

function isStep(line: TreeLine): line is StepLine {
  return line.step !== undefined;
}
