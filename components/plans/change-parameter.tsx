'use client';

import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/input';
import { type FormField, formModel } from '@/lib/kudo/view/form-model';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';

/** The parameters whose change starts this plan, so that they can go with its retry; in the order of the form. */
export function changeableFields({ operatorVersionObject, instance }: InstanceRow, plan: string): FormField[] {
  if (operatorVersionObject === undefined) return [];
  const fields = formModel(operatorVersionObject, instance).flatMap((group) => group.fields);
  return fields.filter((field) => field.plan === plan && field.lockedBecause === undefined);
}

/** Chooses one more parameter to change with the start; nothing when none is left. */
export function ChangeParameter({
  fields,
  onChoose,
}: {
  fields: readonly FormField[];
  onChoose: (name: string) => void;
}) {
  if (fields.length === 0) return null;
  return (
    <Field label="Change a parameter" hint="The run begins at its first step when a parameter is changed.">
      {(wiring) => (
        <Select {...wiring} value="" onChange={(event) => onChoose(event.target.value)}>
          <option value="">none</option>
          {fields.map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
