import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';

/** The longest that is kept of it. */
const MOST_CHARS = 1_000;

/** Asks for the person's words about a run. */
export function ReasonField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <Field label="Reason" hint="Optional. It is kept in the record of the run.">
      {(wiring) => (
        <Input {...wiring} maxLength={MOST_CHARS} value={value} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}
