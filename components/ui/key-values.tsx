import type { ReactNode } from 'react';

/** Names and values in two columns. Entries with an undefined value are left out. */
export function KeyValues({ entries }: { entries: readonly (readonly [string, ReactNode | undefined])[] }) {
  return (
    <dl className="grid grid-cols-[minmax(88px,128px)_minmax(0,1fr)] gap-x-3 gap-y-[7px]">
      {entries.map(([name, value]) =>
        value === undefined ? null : (
          <div key={name} className="contents">
            <dt className="text-ink-3">{name}</dt>
            <dd className="min-w-0">{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
