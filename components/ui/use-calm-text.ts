'use client';

import { useEffect, useRef, useState } from 'react';
import { systemClock } from '@/lib/clock/clock';

/** WCAG 2.2 says how a status is announced, not how often; more than one message in this time is noise. */
const APART_MS = 5_000;

/** A text for a live region: the newest one, at most one change every 5 s. What came in between is never said. */
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
