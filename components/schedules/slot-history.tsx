import { EmptyState } from '@/components/ui/empty-state';
import { Link } from '@/components/ui/link';
import { StatusText } from '@/components/ui/status';
import { ZonedMoment } from '@/components/ui/zoned-moment';
import { parseTime } from '@/lib/clock/clock';
import type { SlotEntry, SlotOutcome } from '@/lib/kudo/schedules/plan-schedule';
import { type RunRow, runPath } from '@/lib/kudo/view/run-row';
import type { StatusKey } from '@/lib/kudo/view/status-words';

const OUTCOMES: { readonly [outcome in SlotOutcome]: StatusKey } = {
  Started: 'COMPLETE',
  Skipped: 'skipped',
  Missed: 'waiting',
  Refused: 'FATAL_ERROR',
  Blackout: 'paused',
};

/** What became of the last slots, the newest first. */
export function SlotHistory({
  entries,
  runs,
  nowMs,
  timeZone,
}: {
  entries: readonly SlotEntry[];
  runs: readonly RunRow[];
  nowMs: number;
  timeZone: string;
}) {
  if (entries.length === 0) {
    return (
      <EmptyState title="No time has come yet" guide="schedules">
        Each time of the schedule is listed here when it has passed.
      </EmptyState>
    );
  }
  return (
    <div className="overflow-x-auto">
      <table className="table">
        <caption className="sr-only">The last times of the schedule</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">What happened</th>
            <th scope="col">Run</th>
          </tr>
        </thead>
        <tbody>
          {entries.toReversed().map(({ slot = '', outcome, uid, message = '' }) => (
            <tr key={slot} data-slot={slot} data-outcome={outcome}>
              <td>
                <ZonedMoment ms={parseTime(slot) ?? 0} nowMs={nowMs} timeZone={timeZone} />
              </td>
              <td>
                <StatusText status={OUTCOMES[outcome ?? 'Missed']} word={outcome ?? 'Unknown'} />
                {message !== '' && <span className="block text-ink-2 text-xs">{message}</span>}
              </td>
              <td>
                <RunOfSlot run={uid === undefined ? undefined : runs.find(({ run }) => run.spec?.uid === uid)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RunOfSlot({ run }: { run: RunRow | undefined }) {
  if (run === undefined) return <span className="text-ink-3">—</span>;
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <Link className="link" href={runPath(run)} prefetch={false}>
        {run.name}
      </Link>
      <StatusText status={run.status} />
    </span>
  );
}
