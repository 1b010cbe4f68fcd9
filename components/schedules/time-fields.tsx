import { useId } from 'react';
import { Chip } from '@/components/ui/chip';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { useTimeZone } from '@/components/ui/use-time-zone';
import { cronWords } from '@/lib/kudo/schedules/cron-words';
import { NEXT_SHOWN } from '@/lib/kudo/schedules/next-step';
import { nextSlots, slotsOf } from '@/lib/kudo/schedules/slots';
import { type ChangeSchedule, draftedSpec, type ScheduleDraft } from '@/lib/kudo/view/schedule-draft';
import { NextTimes } from './next-times';
import { useMinute } from './use-schedule-rows';

const EXAMPLES = ['0 * * * *', '30 2 * * *', '0 3 * * 0', '0 3 1 * *'];

interface TimeFieldsProps {
  draft: ScheduleDraft;
  /** What is wrong with expression, zone or blackouts. */
  problem: string | undefined;
  onChange: ChangeSchedule;
}

/** Expression and zone, with the next five times while they are typed. */
export function TimeFields({ draft, problem, onChange }: TimeFieldsProps) {
  const { expression, timeZone } = draft;
  const words = problem === undefined ? cronWords(expression) : undefined;
  return (
    <div className="grid gap-3">
      <div className="grid gap-3 sm:grid-cols-2">
        <Field
          label="When"
          required
          error={problem}
          hint={words ?? 'A cron expression: minute, hour, day of the month, month, day of the week.'}
        >
          {(wiring) => (
            <Input
              {...wiring}
              mono
              autoComplete="off"
              spellCheck={false}
              value={expression}
              onChange={(event) => onChange({ expression: event.target.value })}
            />
          )}
        </Field>
        <ZoneField value={timeZone} onChange={(zone) => onChange({ timeZone: zone })} />
      </div>
      <fieldset className="flex flex-wrap gap-1.5">
        <legend className="sr-only">Examples</legend>
        {EXAMPLES.map((example) => (
          <Chip key={example} pressed={expression === example} onClick={() => onChange({ expression: example })}>
            {cronWords(example)}
          </Chip>
        ))}
      </fieldset>
      {problem === undefined && <NextOfDraft draft={draft} />}
    </div>
  );
}

function ZoneField({ value, onChange }: { value: string; onChange: (zone: string) => void }) {
  const listId = useId();
  const own = useTimeZone();
  return (
    <Field label="Time zone" hint={value === own ? 'Your time zone.' : `Yours is ${own}.`}>
      {(wiring) => (
        <>
          <Input
            {...wiring}
            autoComplete="off"
            spellCheck={false}
            list={listId}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          <datalist id={listId}>
            {['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

function NextOfDraft({ draft }: { draft: ScheduleDraft }) {
  const timeZone = useTimeZone();
  const minuteMs = useMinute();
  const slots = slotsOf(draftedSpec(draft));
  const next = typeof slots === 'string' ? [] : nextSlots(slots, minuteMs, NEXT_SHOWN);
  return (
    <section className="rounded-md border" aria-label="The next five times" aria-live="polite">
      {next.length === 0 ? (
        <p className="px-4 py-3 text-wait">It never starts: the expression has no time, or all are in a blackout.</p>
      ) : (
        <NextTimes slots={next} zone={draft.timeZone} timeZone={timeZone} nowMs={minuteMs} />
      )}
    </section>
  );
}
