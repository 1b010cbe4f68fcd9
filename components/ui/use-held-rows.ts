'use client';

import { type PointerEvent, useCallback, useMemo, useState } from 'react';
import { type HeldRows, heldRows } from './held-rows';

interface Hold<R> {
  readonly rows: readonly R[];
  readonly of: string;
}

export interface HeldList<R> extends HeldRows<R> {
  /** Shows what waits, in its place. */
  readonly release: () => void;
  /** For the element around the table. */
  readonly pointer: {
    readonly onPointerEnter: (event: PointerEvent) => void;
    readonly onPointerLeave: () => void;
  };
}

/**
 * Holds a live list still while the mouse is in it, so that nothing moves under the pointer (a finger points at nothing before
 * it touches). `of` names the question that the list answers, its filter and order: another one is answered at once.
 */
export function useHeldRows<R extends { readonly key: string }>(rows: readonly R[], of: string): HeldList<R> {
  const [isInside, setIsInside] = useState(false);
  const [hold, setHold] = useState<Hold<R>>();
  // Of an empty table nothing can move.
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
