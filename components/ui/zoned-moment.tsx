import { formatTime } from '@/lib/clock/clock';
import { exactTime, zonedText } from '@/lib/clock/zoned-time';

/** A moment in a time zone, `Tue 24 Nov, 02:30`; the UTC time is in its title. Both times are wall milliseconds. */
export function ZonedMoment({ ms, nowMs, timeZone }: { ms: number; nowMs: number; timeZone: string }) {
  const at = formatTime(ms);
  return (
    <time dateTime={at} title={exactTime(at, 'UTC')} className="whitespace-nowrap">
      {zonedText(ms, timeZone, nowMs)}
    </time>
  );
}
