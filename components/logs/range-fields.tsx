'use client';

import { Field } from '@/components/ui/field';
import { Input, Select } from '@/components/ui/input';
import { formatTime, parseTime, systemClock } from '@/lib/clock/clock';
import { type LogRange, MOST_LOG_LINES } from './log-options';

const LINES = [500, 5_000, 20_000, MOST_LOG_LINES];
const SINCE = [
  ['5 minutes', 5],
  ['15 minutes', 15],
  ['1 hour', 60],
  ['6 hours', 360],
  ['24 hours', 1_440],
] as const;

/** Which lines are read: the last ones, or those of a time. */
export function RangeFields({ range, onRange }: { range: LogRange; onRange: (change: Partial<LogRange>) => void }) {
  return (
    <div className="grid gap-3 pb-1 sm:grid-cols-2 lg:grid-cols-4">
      <Field label="Lines">
        {(wiring) => (
          <Select
            {...wiring}
            value={range.since === '' ? String(range.lines) : ''}
            onChange={(event) => onRange({ lines: Number(event.target.value), since: '', until: '' })}
          >
            {range.since !== '' && <option value="">of the time range</option>}
            {LINES.map((lines) => (
              <option key={lines} value={lines}>
                the last {lines.toLocaleString('en')}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Since">
        {(wiring) => (
          <Select
            {...wiring}
            value=""
            onChange={(event) => onRange({ since: minutesAgo(Number(event.target.value)), until: '' })}
          >
            <option value="">choose…</option>
            {SINCE.map(([words, minutes]) => (
              <option key={minutes} value={minutes}>
                {words} ago
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="From (UTC)">
        {(wiring) => (
          <Input
            {...wiring}
            type="datetime-local"
            step={1}
            value={toField(range.since)}
            onChange={(event) => onRange({ since: fromField(event.target.value) })}
          />
        )}
      </Field>
      <Field label="Until (UTC)" hint="Empty: new lines are followed.">
        {(wiring) => (
          <Input
            {...wiring}
            type="datetime-local"
            step={1}
            value={toField(range.until)}
            onChange={(event) => {
              const until = fromField(event.target.value);
              // An end alone is a range from the beginning of the log.
              onRange(range.since === '' && until !== '' ? { since: BEGINNING, until } : { until });
            }}
          />
        )}
      </Field>
    </div>
  );
}

const BEGINNING = '1970-01-01T00:00:00Z';

function minutesAgo(minutes: number): string {
  return formatTime(systemClock.now() - minutes * 60_000);
}

/** The value of a field for a time, which is in UTC as in the log. */
function toField(time: string): string {
  return time === '' || time === BEGINNING ? '' : time.slice(0, 19);
}

function fromField(value: string): string {
  const ms = parseTime(`${value.length === 16 ? `${value}:00` : value}Z`);
  return value === '' || ms === undefined ? '' : formatTime(ms);
}
