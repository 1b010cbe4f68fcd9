import { EmptyState } from '@/components/ui/empty-state';
import { StatusMark } from '@/components/ui/status';
import { toneSolid } from '@/components/ui/tones';
import { type ComparedStep, stepSeconds } from '@/lib/kudo/view/compared-steps';
import { spanText } from '@/lib/kudo/view/run-facts';
import type { RunRow } from '@/lib/kudo/view/run-row';
import type { StepLine } from '@/lib/kudo/view/run-tree-lines';
import { statusWords } from '@/lib/kudo/view/status-words';

/** A bar of a step that took no measurable time is still seen. */
const LEAST_PERCENT = 0.5;

/** How long each step took in both runs, as bars of one scale. */
export function StepBars({
  steps,
  earlier,
  later,
  nowMs,
}: {
  steps: readonly ComparedStep[];
  earlier: RunRow;
  later: RunRow;
  nowMs: number;
}) {
  if (steps.length === 0) return <EmptyState title="No step of these runs is recorded yet" />;
  const seconds = (line: StepLine | undefined) => (line === undefined ? undefined : stepSeconds(line, nowMs));
  const longest = steps.reduce(
    (most, { before, after }) => Math.max(most, seconds(before) ?? 0, seconds(after) ?? 0),
    Number.MIN_VALUE,
  );
  return (
    <ul className="divide-y divide-line">
      {steps.map(({ phase, step, before, after }) => (
        <li
          key={JSON.stringify([phase, step])}
          data-step={step}
          className="grid gap-x-4 gap-y-1 px-4 py-2.5 sm:grid-cols-[minmax(0,1fr)_minmax(0,4fr)]"
        >
          <span className="min-w-0 break-words">
            <span className="text-ink-3">{phase} /</span> <span className="font-medium">{step}</span>
          </span>
          <ul className="grid gap-1">
            <Bar run={earlier.name} line={before} seconds={seconds(before)} longest={longest} />
            <Bar run={later.name} line={after} seconds={seconds(after)} longest={longest} />
          </ul>
        </li>
      ))}
    </ul>
  );
}

function Bar({
  run,
  line,
  seconds,
  longest,
}: {
  run: string;
  line: StepLine | undefined;
  seconds: number | undefined;
  longest: number;
}) {
  const percent = seconds === undefined ? 0 : Math.max(LEAST_PERCENT, (100 * seconds) / longest);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-center gap-x-3 text-xs sm:grid-cols-[minmax(0,1fr)_minmax(0,3fr)_auto]">
      <span className="truncate text-ink-2" title={run}>
        {run}
      </span>
      <span aria-hidden="true" className="h-2 overflow-hidden rounded-sm bg-sunken">
        {line !== undefined && percent > 0 && (
          <span
            className={`block h-full rounded-sm ${toneSolid[statusWords[line.status].tone]}`}
            style={{ width: `${percent}%` }}
          />
        )}
      </span>
      <span className="flex min-w-28 items-center justify-end gap-1.5 whitespace-nowrap tabular-nums">
        {line === undefined ? (
          <span className="text-ink-3">not in this run</span>
        ) : (
          <>
            {spanText(seconds) === '' ? <span className="text-ink-3">—</span> : spanText(seconds)}
            <StatusMark status={line.status} />
          </>
        )}
      </span>
    </li>
  );
}
