import { classNames } from './class-names';

/** A grey bar in the place of a text that is loading. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span aria-hidden="true" className={classNames('block h-3 animate-breathe rounded-sm bg-idle-soft', className)} />
  );
}

const widths = ['w-2/5', 'w-3/5', 'w-1/2', 'w-1/3', 'w-2/3'] as const;

/** Rows of the size of table rows, so that the layout does not shift when the rows are loaded. */
export function SkeletonRows({ rows = 6 }: { rows?: number }) {
  return (
    <div role="status" className="divide-y divide-line">
      <span className="sr-only">Loading</span>
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <div key={row} className="flex h-10 items-center px-4">
          <Skeleton className={widths[row % widths.length] ?? 'w-1/2'} />
        </div>
      ))}
    </div>
  );
}
