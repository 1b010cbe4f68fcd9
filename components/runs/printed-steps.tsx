'use client';

import { StatusText } from '@/components/ui/status';
import { useExactTime } from '@/components/ui/use-time-zone';
import { plainMessage } from '@/lib/kudo/view/instance-state';
import { NOT_REACHED, spanText } from '@/lib/kudo/view/run-facts';
import type { RunRow } from '@/lib/kudo/view/run-row';
import { stepLines, type TreeLine } from '@/lib/kudo/view/run-tree-lines';

/** Every step of a run with its result, times and message, for paper: nothing has to be opened. */
export function PrintedSteps({ row, lines }: { row: RunRow; lines: readonly TreeLine[] }) {
  const exact = useExactTime();
  return (
    <table className="table w-full" aria-label="Steps">
      <thead>
        <tr>
          <th scope="col">Step</th>
          <th scope="col">Result</th>
          <th scope="col">Started</th>
          <th scope="col" className="num">
            Duration
          </th>
        </tr>
      </thead>
      <tbody>
        {stepLines(lines).map(({ phase, step, status, message, startedAt, seconds }) => {
          const isNotReached = row.isOver && (status === 'PENDING' || status === 'NEVER_RUN');
          return (
            <tr key={`${phase}/${step}`} className="break-inside-avoid">
              <td>
                {phase} / <strong>{step}</strong>
                {message !== '' && <span className="block">{plainMessage(message)}</span>}
              </td>
              <td>
                <StatusText status={status} word={isNotReached ? NOT_REACHED : undefined} />
              </td>
              <td className="whitespace-nowrap">{startedAt === undefined ? '—' : exact(startedAt)}</td>
              <td className="num">{spanText(seconds) || '—'}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
