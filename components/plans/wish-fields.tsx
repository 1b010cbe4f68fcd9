import { ReasonField } from '@/components/parameters/reason-field';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/input';
import type { RunWishes } from '@/lib/kudo/runs/run-request';

/** What a person may say about a run before it starts: why, and whether it is to stop in between. */
export function WishFields({
  phases,
  wishes,
  onChange,
}: {
  phases: readonly { readonly name: string }[];
  wishes: RunWishes;
  onChange: (wishes: RunWishes) => void;
}) {
  const { reason = '', stopAfter = '' } = wishes;
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <ReasonField value={reason} onChange={(text) => onChange({ ...wishes, reason: text })} />
      {phases.length > 1 && (
        <Field label="Stop after" hint="The run is held there until it is resumed.">
          {(wiring) => (
            <Select
              {...wiring}
              value={stopAfter}
              onChange={(event) => onChange({ ...wishes, stopAfter: event.target.value })}
            >
              <option value="">the end</option>
              {phases.slice(0, -1).map(({ name }) => (
                <option key={name} value={name}>
                  phase {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
    </div>
  );
}
