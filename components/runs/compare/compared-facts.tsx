import type { ReactNode } from 'react';
import { Link } from '@/components/ui/link';
import { StatusText } from '@/components/ui/status';
import { Tag } from '@/components/ui/tag';
import { Age } from '@/components/ui/time-ago';
import { durationOf } from '@/lib/kudo/runs/run-words';
import { spanText } from '@/lib/kudo/view/run-facts';
import { type RunRow, runPath } from '@/lib/kudo/view/run-row';
import { statusWords } from '@/lib/kudo/view/status-words';

interface Fact {
  readonly name: string;
  /** What is compared; undefined for what differs between any two runs. */
  readonly value?: (row: RunRow) => string;
  readonly show: (row: RunRow) => ReactNode;
}

/** Outcome, version, why, who and duration of two runs, with a mark where they differ. */
export function ComparedFacts({ earlier, later, nowMs }: { earlier: RunRow; later: RunRow; nowMs: number }) {
  return (
    <table className="table table-fixed">
      <caption className="sr-only">Facts of both runs</caption>
      <thead>
        <tr>
          <th scope="col" className="w-[30%] sm:w-[24%]">
            Fact
          </th>
          {[earlier, later].map((row) => (
            <th key={row.key} scope="col">
              <Link className="link block truncate" title={row.name} href={runPath(row)}>
                {row.name}
              </Link>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {factsAt(nowMs).map(({ name, value, show }) => {
          const differs = value !== undefined && value(earlier) !== value(later);
          return (
            <tr key={name} data-differs={differs ? '' : undefined}>
              <th scope="row" className="[tr:last-child>&]:!border-b-0 !whitespace-normal !text-ink-2">
                {name} {differs && <Tag tone="run">differs</Tag>}
              </th>
              <td className="break-words">{show(earlier)}</td>
              <td className="break-words">{show(later)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function factsAt(nowMs: number): Fact[] {
  const text = (name: string, value: (row: RunRow) => string): Fact => ({
    name,
    value,
    show: (row) => orDash(value(row)),
  });
  return [
    text('Plan', ({ plan }) => plan),
    {
      name: 'Outcome',
      value: ({ status }) => statusWords[status].word,
      show: (row) => (
        <>
          <StatusText status={row.status} />
          {row.message !== '' && <span className="block max-w-[60ch] text-ink-2 text-xs">{row.message}</span>}
        </>
      ),
    },
    text('Version', ({ run }) => run.status?.operatorVersion ?? ''),
    text('Why', ({ why }) => why),
    text('Who', ({ who }) => who),
    text('Reason', ({ reason }) => reason),
    { name: 'Started', show: ({ startedAt }) => <Age at={startedAt} nowMs={nowMs} suffix=" ago" /> },
    {
      name: 'Duration',
      show: (row) => {
        const took = durationOf(row.run, nowMs);
        const words = took === undefined ? '' : spanText(took / 1_000);
        return <span className="tabular-nums">{row.isOver || words === '' ? orDash(words) : `${words} so far`}</span>;
      },
    },
  ];
}

function orDash(text: string): ReactNode {
  return text === '' ? <span className="text-ink-3">—</span> : <span className="break-words">{text}</span>;
}
