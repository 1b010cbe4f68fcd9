import { zonedText } from '@/lib/clock/zoned-time';

/** Slots in the person's zone, in UTC, and, where there is room, in the zone of the schedule when it is another one. Times are wall milliseconds. */
export function NextTimes({
  slots,
  zone,
  timeZone,
  nowMs,
}: {
  slots: readonly number[];
  /** Of the schedule. */
  zone: string;
  /** Of the person. */
  timeZone: string;
  nowMs: number;
}) {
  const hasThird = zone !== timeZone && zone !== 'UTC';
  const hasUtc = timeZone !== 'UTC';
  return (
    <div className="overflow-x-auto">
      <table className="table">
        <caption className="sr-only">The next times</caption>
        <thead>
          <tr>
            <th scope="col">{hasUtc ? `Your time (${timeZone})` : 'UTC, your time'}</th>
            {hasUtc && <th scope="col">UTC</th>}
            {hasThird && (
              <th scope="col" className="max-sm:hidden">
                {zone}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {slots.map((ms) => (
            <tr key={ms} data-slot={ms}>
              <td className="whitespace-nowrap font-medium tabular-nums">{zonedText(ms, timeZone, nowMs)}</td>
              {hasUtc && <td className="whitespace-nowrap text-ink-2 tabular-nums">{zonedText(ms, 'UTC', nowMs)}</td>}
              {hasThird && (
                <td className="whitespace-nowrap text-ink-2 tabular-nums max-sm:hidden">
                  {zonedText(ms, zone, nowMs)}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
