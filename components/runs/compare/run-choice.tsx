'use client';

import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/input';
import { useExactTime } from '@/components/ui/use-time-zone';
import type { RunRow } from '@/lib/kudo/view/run-row';
import { statusWords } from '@/lib/kudo/view/status-words';

/** Chooses one of the runs of an Instance, the newest first. */
export function RunChoice({
  label,
  rows,
  chosen,
  onChoose,
}: {
  label: string;
  rows: readonly RunRow[];
  chosen: RunRow | undefined;
  onChoose: (name: string) => void;
}) {
  const exact = useExactTime();
  return (
    <Field label={label}>
      {(wiring) => (
        <Select {...wiring} value={chosen?.name ?? ''} onChange={(event) => onChoose(event.target.value)}>
          {chosen === undefined && <option value="">Choose a run</option>}
          {rows.map(({ key, name, status, startedAt }) => (
            <option key={key} value={name}>
              {name} · {statusWords[status].word}
              {startedAt !== '' && ` · ${exact(startedAt)}`}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
