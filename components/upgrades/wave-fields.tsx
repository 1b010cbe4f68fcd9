import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { useTimeZone } from '@/components/ui/use-time-zone';
import { windowState } from '@/lib/kudo/upgrades/maintenance-window';
import type { UpgradeDraft } from './use-upgrades';

/** The part of a draft that is about waves; subscriptions have the same. */
export type WaveDraft = Pick<UpgradeDraft, 'waveSize' | 'pauseOnFailure' | 'rollBackWave'> & {
  readonly window?: UpgradeDraft['window'] | undefined;
  readonly reason?: string | undefined;
  readonly confirm?: string | undefined;
};

interface WaveFieldsProps {
  draft: WaveDraft;
  /** Asks for the name of the operator, which confirms plans that delete or replace data; not asked for when absent. */
  confirmLabel?: string | undefined;
  hasReason?: boolean;
  onChange: (changes: Partial<UpgradeDraft>) => void;
}

/** How many Instances move at once, what becomes of a failure, and when moves may start. */
export function WaveFields({ draft, confirmLabel, hasReason = true, onChange }: WaveFieldsProps) {
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1 font-medium">Waves</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Instances at once">
          {(wiring) => (
            <Input
              {...wiring}
              type="number"
              min={1}
              max={500}
              value={draft.waveSize}
              onChange={(event) => onChange({ waveSize: Math.max(1, Number(event.target.value) || 1) })}
            />
          )}
        </Field>
        <div className="grid content-end gap-1">
          <Check
            label="Pause at the first failure"
            checked={draft.pauseOnFailure}
            onChange={(checked) => onChange({ pauseOnFailure: checked })}
          />
          <Check
            label="Roll a wave with a failure back"
            checked={draft.rollBackWave}
            onChange={(checked) => onChange({ rollBackWave: checked })}
          />
        </div>
      </div>
      <WindowFields draft={draft} onChange={onChange} />
      {hasReason && (
        <Field label="Reason" hint="For the records of the runs.">
          {(wiring) => (
            <Input
              {...wiring}
              maxLength={500}
              value={draft.reason ?? ''}
              onChange={(event) => onChange({ reason: event.target.value })}
            />
          )}
        </Field>
      )}
      {confirmLabel !== undefined && (
        <Field label={confirmLabel}>
          {(wiring) => (
            <Input
              {...wiring}
              mono
              autoComplete="off"
              value={draft.confirm ?? ''}
              onChange={(event) => onChange({ confirm: event.target.value })}
            />
          )}
        </Field>
      )}
    </fieldset>
  );
}

function WindowFields({ draft: { window }, onChange }: Pick<WaveFieldsProps, 'draft' | 'onChange'>) {
  const timeZone = useTimeZone();
  const state = windowState(window, 0);
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Field
        label="Maintenance window begins"
        hint={`A cron expression such as 0 22 * * 6, in ${window?.timeZone ?? timeZone}. Empty: moves may start at any time.`}
        error={typeof state === 'string' ? state : undefined}
      >
        {(wiring) => (
          <Input
            {...wiring}
            mono
            autoComplete="off"
            value={window?.start ?? ''}
            onChange={({ target: { value } }) => {
              const { durationMinutes = 60 } = window ?? {};
              onChange({
                window: value === '' ? undefined : { timeZone, ...window, durationMinutes, start: value },
              } as Partial<UpgradeDraft>);
            }}
          />
        )}
      </Field>
      {window !== undefined && (
        <Field label="Minutes" hint="How long the window is open.">
          {(wiring) => (
            <Input
              {...wiring}
              type="number"
              min={1}
              value={window.durationMinutes}
              onChange={(event) =>
                onChange({ window: { ...window, durationMinutes: Math.max(1, Number(event.target.value) || 1) } })
              }
            />
          )}
        </Field>
      )}
    </div>
  );
}

function Check({
  label,
  checked,
  onChange,
}: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  return (
    <label className="flex min-h-7 items-center gap-2">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  );
}
