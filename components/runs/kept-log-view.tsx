'use client';

import { useUrlState } from '@/components/resources/use-url-state';
import { EmptyState } from '@/components/ui/empty-state';
import { Link } from '@/components/ui/link';
import { instancePath } from '@/lib/kudo/view/instance-path';
import type { RunRow } from '@/lib/kudo/view/run-row';
import { countLogLines, KeptLogLines } from './kept-log-lines';
import { RecordState } from './record-state';
import { useRunRecord } from './use-run-record';

/** The last lines of the containers that failed; they are kept when their pods are gone. The address can name a line. */
export function KeptLogView({ row }: { row: RunRow }) {
  const read = useRunRecord(row);
  const [line, choose] = useUrlState('line');
  const logs = read.record?.failure?.logs ?? [];
  if (read.record === undefined) return <RecordState read={read} />;
  if (logs.length === 0) {
    return (
      <EmptyState title="No log is kept">
        The last lines of containers are kept when a run fails. The logs of pods that exist are on the{' '}
        <Link className="link" href={instancePath(row.namespace, row.instance, 'logs')}>
          page of the instance
        </Link>
        .
      </EmptyState>
    );
  }
  // Numbers go on from log to log, so that a line has one number.
  const firstNumbers = logs.map(
    (_, at) => 1 + logs.slice(0, at).reduce((sum, { text }) => sum + countLogLines(text), 0),
  );
  return (
    <ul className="divide-y divide-line">
      {logs.map(({ pod, container, text }, at) => (
        <li key={`${pod} ${container}`} className="px-4 py-3">
          <p className="text-ink-2 text-xs">
            Pod <code>{pod}</code>, container <code>{container}</code>, its last lines:
          </p>
          <KeptLogLines
            label={`Last log lines of ${pod}, container ${container}`}
            text={text}
            firstNumber={firstNumbers[at] ?? 1}
            chosen={line === '' ? undefined : Number(line)}
            onChoose={(number) => choose(String(number))}
          />
        </li>
      ))}
    </ul>
  );
}
