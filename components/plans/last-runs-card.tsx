'use client';

import { Card } from '@/components/ui/card';
import { classNames } from '@/components/ui/class-names';
import { Link } from '@/components/ui/link';
import { toneSolid } from '@/components/ui/tones';
import { useExactTime } from '@/components/ui/use-time-zone';
import type { RecordedRun } from '@/lib/kudo/plan/run-history';
import { instancePath } from '@/lib/kudo/view/instance-path';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { resultText } from '@/lib/kudo/view/run-facts';
import { statusWords } from '@/lib/kudo/view/status-words';
import { useMissingHistory, useRunHistory } from './use-run-history';

/** The last runs of all plans as a row of marks, the newest last. */
export function LastRunsCard({ row }: { row: InstanceRow }) {
  const runs = useRunHistory(row).slice(-MOST);
  const missing = useMissingHistory(row);
  const failed = runs.filter(({ status }) => status === 'FATAL_ERROR').length;
  return (
    <Card
      title={runs.length > 1 ? `Last ${runs.length} runs` : 'Last run'}
      note={failed > 0 && `${failed} failed`}
      action={
        runs.length > 0 && (
          <Link href={instancePath(row.namespace, row.name, 'plans')} className="link">
            Steps
          </Link>
        )
      }
    >
      {runs.length === 0 ? (
        <p className="p-4 text-ink-2">No run is recorded yet.</p>
      ) : (
        <ol className="flex flex-wrap gap-1 p-4">
          {runs.map((run) => (
            <RunMark key={run.uid} run={run} />
          ))}
        </ol>
      )}
      {missing !== undefined && <p className="px-4 pb-4 text-ink-2 text-xs">{missing}</p>}
    </Card>
  );
}

const MOST = 20;

/** One run; a cross means that it failed. */
function RunMark({ run }: { run: RecordedRun }) {
  const exact = useExactTime();
  const text = `${run.plan}: ${resultText(run)}${run.endedAt === '' ? '' : `, ${exact(run.endedAt)}`}`;
  return (
    <li
      title={text}
      className={classNames(
        'state-cell grid h-4 w-[18px] place-items-center rounded-[3px] text-surface',
        toneSolid[statusWords[run.status].tone],
      )}
    >
      {run.status === 'FATAL_ERROR' && (
        <svg width="10" height="10" viewBox="0 0 8 8" aria-hidden="true" stroke="currentColor" strokeWidth="1.5">
          <path d="m1.5 1.5 5 5m0-5-5 5" />
        </svg>
      )}
      <span className="sr-only">{text}</span>
    </li>
  );
}
