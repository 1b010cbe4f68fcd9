'use client';

import type { KeyboardEvent, PointerEvent } from 'react';
import { useRef } from 'react';

const KEY_STEP = 2;

/**
 * The edge of a column's head, which is dragged or moved by arrow keys. `onResize` gets the change in percent of the table's width;
 * `at` is the current width of the column in percent.
 */
export function ColumnResizer({
  label,
  at,
  onResize,
}: {
  label: string;
  at: number;
  onResize: (byPercent: number) => void;
}) {
  const from = useRef<{ x: number; table: number }>(undefined);
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    const table = event.currentTarget.closest('table')?.clientWidth ?? 1;
    from.current = { x: event.clientX, table };
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const start = from.current;
    if (start === undefined || event.clientX === start.x) return;
    onResize(((event.clientX - start.x) / start.table) * 100);
    from.current = { ...start, x: event.clientX };
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowLeft' ? -KEY_STEP : event.key === 'ArrowRight' ? KEY_STEP : 0;
    if (by === 0) return;
    event.preventDefault();
    onResize(by);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that can be moved is no <hr>
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${label}`}
      aria-valuenow={Math.round(at)}
      aria-valuetext={`${Math.round(at)} % of the table`}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        from.current = undefined;
      }}
      onKeyDown={onKeyDown}
      className="group absolute inset-y-0 end-0 flex w-6 cursor-col-resize touch-none items-center justify-end rounded-sm focus-visible:-outline-offset-2 max-sm:hidden"
    >
      <span className="h-3.5 w-px bg-line-strong group-hover:w-0.5 group-hover:bg-accent group-focus-visible:w-0.5 group-focus-visible:bg-accent" />
    </span>
  );
}
