'use client';

import { memo } from 'react';
import { useRowPx } from '@/components/ui/display-settings';
import { Link } from '@/components/ui/link';
import { RowSpacer } from '@/components/ui/row-spacer';
import { StatusText } from '@/components/ui/status';
import { Age } from '@/components/ui/time-ago';
import { useNow } from '@/components/ui/use-now';
import { useVirtualRows } from '@/components/ui/use-virtual-rows';
import type { ActivityEntry } from '@/lib/audit/activity';
import { objectLink } from './entry-links';
import { resultLooks } from './result-looks';

const ROW_PX = 44;

export interface ActivityRow {
  readonly key: string;
  readonly entry: ActivityEntry;
}

/** Entries with what was done to which object by whom. Of more than 200 only those in view are drawn. */
export function ActivityTable({
  rows,
  onOpen,
}: {
  rows: readonly ActivityRow[];
  onOpen: (entry: ActivityEntry) => void;
}) {
  const nowMs = useNow(5_000);
  const { ref, first, last, before, after } = useVirtualRows<HTMLTableSectionElement>(rows.length, useRowPx(ROW_PX));
  return (
    <table className="table table-fixed" data-long="" aria-rowcount={rows.length + 1}>
      <caption className="sr-only">Activity</caption>
      <colgroup>
        <col className="w-[34%] sm:w-[120px]" />
        <col className="w-[66%] sm:w-auto" />
        <col className="max-sm:hidden sm:w-[24%]" />
        <col className="max-md:hidden md:w-[20%]" />
        <col className="max-sm:hidden sm:w-[104px]" />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">Result</th>
          <th scope="col">What</th>
          <th scope="col" className="max-sm:hidden">
            Object
          </th>
          <th scope="col" className="max-md:hidden">
            Who
          </th>
          <th scope="col" className="max-sm:hidden">
            When
          </th>
        </tr>
      </thead>
      <tbody ref={ref}>
        <RowSpacer heightPx={before} columns={5} />
        {rows.slice(first, last).map(({ key, entry }, index) => (
          <Row key={key} entry={entry} nowMs={nowMs} index={first + index} onOpen={onOpen} />
        ))}
        <RowSpacer heightPx={after} columns={5} />
      </tbody>
    </table>
  );
}

const Row = memo(function Row({
  entry,
  nowMs,
  index,
  onOpen,
}: {
  entry: ActivityEntry;
  nowMs: number;
  index: number;
  onOpen: (entry: ActivityEntry) => void;
}) {
  const { object, person, result, summary, verb, reason, time } = entry;
  const { word, status } = resultLooks[result];
  const who = person.name === '' ? 'not known' : person.name;
  const href = objectLink(entry);
  return (
    <tr aria-rowindex={index + 2} data-verb={verb} data-result={result}>
      <td>
        <StatusText status={status} word={word} />
        {reason !== '' && <span className="block truncate text-ink-3 text-xs">{reason}</span>}
      </td>
      <td>
        <button
          type="button"
          className="link block max-w-full truncate text-start font-medium"
          title={summary}
          aria-haspopup="dialog"
          onClick={() => onOpen(entry)}
        >
          {summary === '' ? verb : summary}
        </button>
        <span className="block truncate text-ink-3 text-xs">
          {verb}
          {object.name !== '' && <span className="sm:hidden"> {object.name}</span>}
          <span className="md:hidden"> · {who}</span>
          <span className="sm:hidden">
            {' · '}
            <Age at={time} nowMs={nowMs} suffix=" ago" />
          </span>
        </span>
      </td>
      <td className="max-sm:hidden">
        {object.name === '' ? (
          <span className="block truncate text-ink-2">{object.resource}</span>
        ) : href === undefined ? (
          <span className="block truncate" title={object.name}>
            {object.name}
          </span>
        ) : (
          <Link className="link block truncate" href={href} prefetch={false} title={object.name}>
            {object.name}
          </Link>
        )}
        <span className="block truncate text-ink-3 text-xs">
          {object.name === ''
            ? object.namespace
            : `${object.resource}${object.namespace === '' ? '' : ` · ${object.namespace}`}`}
        </span>
      </td>
      <td className="truncate text-ink-2 max-md:hidden" title={who}>
        {who}
      </td>
      <td className="whitespace-nowrap max-sm:hidden">
        <Age at={time} nowMs={nowMs} suffix=" ago" />
      </td>
    </tr>
  );
});
