'use client';

import { useCallback, useSyncExternalStore } from 'react';
import { exactTime } from '@/lib/clock/zoned-time';
import { useDisplaySettings } from './display-settings';

const NEVER_CHANGES = () => () => {};
const ON_SERVER = () => 'UTC';

/**
 * The IANA name of the time zone that the person chose, else of the browser: then UTC on the server and in the first render, so that both
 * show the same.
 */
export function useTimeZone(): string {
  const own = useSyncExternalStore(NEVER_CHANGES, browserTimeZone, ON_SERVER);
  return useDisplaySettings().timeZone ?? own;
}

/** Writes an exact time (RFC 3339) in the time zone of the person. Every exact time of the console is written by it. */
export function useExactTime(): (at: string) => string {
  const timeZone = useTimeZone();
  return useCallback((at: string) => exactTime(at, timeZone), [timeZone]);
}

let known: string | undefined;

/** Only in the browser. It is asked for by every row of a list and takes the engine long to find out; it stays the same until the page is loaded again. */
export function browserTimeZone(): string {
  known ??= new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return known;
}
