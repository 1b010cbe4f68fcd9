'use client';

import { parseTime } from '@/lib/clock/clock';
import { formatAge } from '@/lib/clock/duration';
import { useNow } from './use-now';
import { useExactTime } from './use-time-zone';

/** How long ago a moment was, kept current; the exact time is in its title. */
export function TimeAgo({ at, suffix = ' ago' }: { at: string | null | undefined; suffix?: string }) {
  const atMs = parseTime(at);
  const nowMs = useNow(atMs === undefined ? 60_000 : 1000);
  return <Age at={at} nowMs={nowMs} suffix={suffix} />;
}

/** The same for a given time, so that a long table has one timer and not one per row. `nowMs` is server time. */
export function Age({ at, nowMs, suffix = '' }: { at: string | null | undefined; nowMs: number; suffix?: string }) {
  const exact = useExactTime();
  const atMs = parseTime(at);
  if (atMs === undefined || at === null || at === undefined) return <span className="text-ink-3">—</span>;
  return (
    <time dateTime={at} title={exact(at)} className="whitespace-nowrap">
      {formatAge(nowMs - atMs)}
      {suffix}
    </time>
  );
}
