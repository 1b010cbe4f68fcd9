'use client';

import { useEffect, useRef, useState } from 'react';
import { systemClock } from '@/lib/clock/clock';

/** The shortest time between two announcements. */
const APART_MS = 5_000;

/** The text for a live region: it changes at most every 5 s, to the newest text; texts in between are skipped. */
export function useCalmText(text: string): string {
  const [said, setSaid] = useState(text);
  const saidAtMs = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (text === said) return undefined;
    const timer = systemClock.after(Math.max(0, saidAtMs.current + APART_MS - systemClock.monotonic()), () => {
      saidAtMs.current = systemClock.monotonic();
      setSaid(text);
    });
    return () => timer.cancel();
  }, [text, said]);
  return said;
}
