'use client';

import { type RefObject, useEffect, useRef, useState } from 'react';

/** Lists up to this length are drawn completely, so that the browser's own search finds every row. */
export const WHOLE_UP_TO = 200;
const OVERSCAN = 12;
/** The drawn range moves by this many rows at a time, so that most frames of a scroll draw nothing new. */
const STEP = 6;

export interface VirtualRows<E extends HTMLElement> {
  /** For the element that contains the rows. */
  readonly ref: RefObject<E | null>;
  readonly first: number;
  /** Exclusive. */
  readonly last: number;
  /** Height of the rows that are not drawn, in pixels. */
  readonly before: number;
  readonly after: number;
}

/**
 * The rows of a long list that are in the window, whether the page scrolls or a box around the list. All rows count with the same height; when real
 * heights differ a little, only the start of the drawn range changes.
 */
export function useVirtualRows<E extends HTMLElement>(count: number, rowPx: number): VirtualRows<E> {
  const ref = useRef<E>(null);
  const isVirtual = count > WHOLE_UP_TO;
  const [range, setRange] = useState({ first: 0, last: 60 });
  useEffect(() => {
    if (!isVirtual) return undefined;
    let frame = 0;
    const measure = () => {
      frame = 0;
      if (ref.current === null) return;
      const top = ref.current.getBoundingClientRect().top;
      const first = Math.max(0, Math.floor((Math.floor(-top / rowPx) - OVERSCAN) / STEP) * STEP);
      const last = Math.ceil((Math.ceil((window.innerHeight - top) / rowPx) + OVERSCAN) / STEP) * STEP;
      setRange((old) => (old.first === first && old.last === last ? old : { first, last }));
    };
    const schedule = () => {
      frame ||= requestAnimationFrame(measure);
    };
    measure();
    // Captured: the scrolling of a box does not bubble.
    window.addEventListener('scroll', schedule, { passive: true, capture: true });
    window.addEventListener('resize', schedule);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', schedule, { capture: true });
      window.removeEventListener('resize', schedule);
    };
  }, [isVirtual, rowPx]);
  if (!isVirtual) return { ref, first: 0, last: count, before: 0, after: 0 };
  const first = Math.min(range.first, Math.max(0, count - 1));
  const last = Math.min(count, Math.max(range.last, first + 1));
  return { ref, first, last, before: first * rowPx, after: (count - last) * rowPx };
}
