'use client';

import { Field } from './field';
import { Input } from './input';
import type { DestroyGuard } from './use-destroy-guard';

/** Asks for the name of an object before an action that cannot be undone. */
export function TypedName({ name, guard }: { name: string; guard: DestroyGuard }) {
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
          value={guard.typed}
          onChange={(event) => guard.type(event.target.value)}
        />
      )}
    </Field>
  );
}
