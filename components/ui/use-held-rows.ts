'use client';

import { type PointerEvent, useCallback, useMemo, useState } from 'react';
import { type HeldRows, heldRows } from './held-rows';

interface Hold<R> {
  readonly rows: readonly R[];
  readonly of: string;
}

export interface HeldList<R> extends HeldRows<R> {
  /** Shows the waiting rows at their place. */
  readonly release: () => void;
  /** For the element around the table. */
  readonly pointer: {
    readonly onPointerEnter: (event: PointerEvent) => void;
    readonly onPointerLeave: () => void;
  };
}

/**
 * Holds a live list while the mouse is over it, so that no row moves under the pointer. It does not apply to touch. `of` identifies
 * the filter and the order of the list: with another one the list is updated immediately.
 */
export function useHeldRows<R extends { readonly key: string }>(rows: readonly R[], of: string): HeldList<R> {
  const [isInside, setIsInside] = useState(false);
  const [hold, setHold] = useState<Hold<R>>();
  // In an empty table no row can move.
  const isStale = hold?.of !== of || (hold.rows.length === 0 && rows.length > 0);
  if (isInside && isStale) setHold({ rows, of });
  if (!isInside && hold !== undefined) setHold(undefined);
  const held = useMemo(
    () => heldRows(rows, isInside && hold?.of === of ? hold.rows : undefined),
    [rows, isInside, hold, of],
  );
  const release = useCallback(() => setHold(undefined), []);
  const pointer = useMemo(
    () => ({
      onPointerEnter: ({ pointerType }: PointerEvent) => setIsInside(pointerType === 'mouse'),
      onPointerLeave: () => setIsInside(false),
    }),
    [],
  );
  return { ...held, release, pointer };
}
