'use client';

import { useId, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import type { FormPath } from '@/lib/schema/form/field-path';
import { useFormScope } from './form-context';

/** Adds a field that the schema does not name, where it keeps such fields (`x-kubernetes-preserve-unknown-fields`). */
export function NewUnknownField({ path, onDone }: { path: FormPath; onDone: () => void }) {
  const { edit } = useFormScope();
  const id = useId();
  const [name, setName] = useState('');
  const add = () => {
    if (name === '') return;
    edit({ op: 'set', path: [...path, name], value: '' }, [...path, name]);
    onDone();
  };
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <label htmlFor={id} className="text-ink-2 text-xs">
        A field that the schema does not name
      </label>
      <Input
        id={id}
        mono
        className="max-w-[220px]"
        value={name}
        onChange={({ target }) => setName(target.value)}
        onKeyDown={(event) => event.key === 'Enter' && add()}
      />
      <Button size="small" disabledReason={name === '' ? 'Enter a name first.' : undefined} onClick={add}>
        Add
      </Button>
    </div>
  );
}
