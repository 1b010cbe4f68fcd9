'use client';

import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';

/** A column's head that sorts; the arrow appears on the sorted column. */
export function SortHeader<C extends string>({
  column,
  label,
  sort,
  descending,
  onSort,
  className,
  resizer,
}: {
  column: C;
  label: string;
  sort: C;
  descending: boolean;
  onSort: (column: C, descending: boolean) => void;
  className?: string | undefined;
  /** The element at its edge that changes its width. */
  resizer?: ReactNode;
}) {
  const sorted = sort === column;
  const Arrow = descending ? ArrowDown : ArrowUp;
  return (
    <th scope="col" aria-sort={sorted ? (descending ? 'descending' : 'ascending') : 'none'} className={className}>
      <button
        type="button"
        onClick={() => onSort(column, sorted && !descending)}
        className="inline-flex h-8 items-center gap-1 font-medium hover:text-ink aria-pressed:text-ink"
      >
        {label}
        {sorted && <Arrow size={12} aria-hidden="true" />}
      </button>
      {resizer}
    </th>
  );
}
