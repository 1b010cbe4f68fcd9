import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Input, Select } from '@/components/ui/input';
import type { BlackoutDraft, ChangeSchedule, ScheduleDraft } from '@/lib/kudo/view/schedule-draft';

interface PolicyFieldsProps {
  draft: ScheduleDraft;
  /** What is wrong with the deadline. */
  problem: string | undefined;
  onChange: ChangeSchedule;
}

/** What becomes of a slot that cannot start at its time, and when nothing starts. */
export function PolicyFields({ draft, problem, onChange }: PolicyFieldsProps) {
  const [isOpen, setIsOpen] = useState(() => isUnusual(draft));
  return (
    <details className="rounded-md border" open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="min-h-9 cursor-pointer px-4 py-2 font-medium">
        Busy instance, missed times and blackouts
      </summary>
      {isOpen && <PolicyGrid draft={draft} problem={problem} onChange={onChange} />}
    </details>
  );
}

function PolicyGrid({ draft, problem, onChange }: PolicyFieldsProps) {
  return (
    <div className="grid gap-4 border-t px-4 py-3">
      <div className="grid gap-3 sm:grid-cols-3">
        <Field label="While a plan runs">
          {(wiring) => (
            <Select
              {...wiring}
              value={draft.concurrency}
              onChange={(event) => onChange({ concurrency: event.target.value === 'Wait' ? 'Wait' : 'Forbid' })}
            >
              <option value="Forbid">skip the time</option>
              <option value="Wait">wait until it ends</option>
            </Select>
          )}
        </Field>
        <Field label="Missed time" hint="When no controller was running.">
          {(wiring) => (
            <Select
              {...wiring}
              value={draft.missed}
              onChange={(event) => onChange({ missed: event.target.value === 'Skip' ? 'Skip' : 'RunLast' })}
            >
              <option value="RunLast">start the last one late</option>
              <option value="Skip">leave it</option>
            </Select>
          )}
        </Field>
        {draft.missed === 'RunLast' && (
          <Field label="At most late" error={problem} hint="Minutes.">
            {(wiring) => (
              <Input
                {...wiring}
                inputMode="decimal"
                value={draft.deadlineMinutes}
                onChange={(event) => onChange({ deadlineMinutes: event.target.value })}
              />
            )}
          </Field>
        )}
      </div>
      <BlackoutFields blackouts={draft.blackouts} onChange={(blackouts) => onChange({ blackouts })} />
    </div>
  );
}

function isUnusual({ concurrency, missed, blackouts, deadlineMinutes }: ScheduleDraft): boolean {
  return concurrency !== 'Forbid' || missed !== 'RunLast' || blackouts.length > 0 || deadlineMinutes !== '60';
}

const MOST_BLACKOUTS = 20;
const NEW_BLACKOUT: BlackoutDraft = { start: '0 18 * * 5', minutes: '60', timeZone: '' };

function BlackoutFields({
  blackouts,
  onChange,
}: {
  blackouts: readonly BlackoutDraft[];
  onChange: (blackouts: readonly BlackoutDraft[]) => void;
}) {
  const edit = (at: number, changes: Partial<BlackoutDraft>) =>
    onChange(blackouts.map((each, index) => (index === at ? { ...each, ...changes } : each)));
  const full = blackouts.length >= MOST_BLACKOUTS ? `A schedule has at most ${MOST_BLACKOUTS} blackouts.` : undefined;
  return (
    <div className="grid gap-2">
      {blackouts.map((blackout, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a window has no name, and its fields change while they are typed
        <fieldset key={at} className="flex flex-wrap items-end gap-3">
          <legend className="sr-only">Blackout {at + 1}</legend>
          <Field label="Blackout begins" hint="A cron expression.">
            {(wiring) => (
              <Input
                {...wiring}
                mono
                value={blackout.start}
                onChange={(event) => edit(at, { start: event.target.value })}
              />
            )}
          </Field>
          <Field label="Minutes" hint="At most a week.">
            {(wiring) => (
              <Input
                {...wiring}
                inputMode="numeric"
                className="max-w-28"
                value={blackout.minutes}
                onChange={(event) => edit(at, { minutes: event.target.value })}
              />
            )}
          </Field>
          <Button
            variant="quiet"
            iconOnly
            icon={<X size={15} aria-hidden="true" />}
            className="mb-6"
            onClick={() => onChange(blackouts.filter((_each, index) => index !== at))}
          >
            Remove blackout {at + 1}
          </Button>
        </fieldset>
      ))}
      <Button
        size="small"
        className="justify-self-start"
        icon={<Plus size={14} aria-hidden="true" />}
        disabledReason={full}
        onClick={() => onChange([...blackouts, NEW_BLACKOUT])}
      >
        Add a blackout
      </Button>
    </div>
  );
}
