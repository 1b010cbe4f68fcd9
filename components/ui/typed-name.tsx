'use client';

import { Field } from './field';
import { Input } from './input';

/** Asks for the name of an object before an action that cannot be undone. */
export function TypedName({
  name,
  value,
  onChange,
}: {
  name: string;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <Field
      label={
        <>
          Type <code className="rounded-sm bg-sunken px-1 py-px">{name}</code> to confirm
        </>
      }
    >
      {(wiring) => (
        <Input
          {...wiring}
          mono
          autoComplete="off"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
