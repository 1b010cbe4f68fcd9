import Link from 'next/link';
import { EmptyState } from '@/components/ui/empty-state';
import { instancePath } from '@/lib/kudo/view/instance-path';
import type { RunRow } from '@/lib/kudo/view/run-row';
import { RecordState } from './record-state';
import { useRunRecord } from './use-run-record';

/** The last lines of the containers that failed; they are kept when their pods are gone. */
export function KeptLogView({ row }: { row: RunRow }) {
  const read = useRunRecord(row);
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
  return (
    <ul className="divide-y divide-line">
      {logs.map(({ pod, container, text }) => (
        <li key={`${pod} ${container}`} className="px-4 py-3">
          <p className="text-ink-2 text-xs">
            Pod <code>{pod}</code>, container <code>{container}</code>, its last lines:
          </p>
          <pre
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a long log is scrolled with the keyboard
            tabIndex={0}
            className="mono mt-1 max-h-[60dvh] overflow-auto rounded-md bg-sunken p-3 text-xs"
          >
            {text}
          </pre>
        </li>
      ))}
    </ul>
  );
}
