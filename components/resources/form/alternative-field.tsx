'use client';

import { useId } from 'react';
import { Select } from '@/components/ui/input';
import { isJsonObject, type JsonValue } from '@/lib/json/json';
import { alternativesOf, fieldsToDrop } from '@/lib/schema/form/alternatives';
import type { FormPath } from '@/lib/schema/form/field-path';
import { starterValue } from '@/lib/schema/form/starter-value';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { useFormScope } from './form-context';

/** The choice among the alternatives of an object (`oneOf`, `anyOf`); nothing where there are none. */
export function AlternativeField({
  path,
  schema,
  value,
}: {
  path: FormPath;
  schema: JsonSchema;
  value: JsonValue | undefined;
}) {
  const { edit, readOnly } = useFormScope();
  const id = useId();
  const choice = alternativesOf(schema, value);
  if (choice === undefined) return null;
  const choose = (index: number) => {
    const set = isJsonObject(value) ? value : {};
    for (const name of fieldsToDrop(choice, index)) {
      if (Object.hasOwn(set, name)) edit({ op: 'remove', path: [...path, name] });
    }
    for (const name of choice.alternatives[index]?.fields ?? []) {
      const member = schema.properties?.[name];
      if (member === undefined || Object.hasOwn(set, name)) continue;
      edit({ op: 'set', path: [...path, name], value: starterValue(member) }, [...path, name]);
    }
  };
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 py-2">
      <label htmlFor={id} className="font-medium">
        {choice.isExclusive ? 'One of' : 'At least one of'}
      </label>
      <Select
        id={id}
        className="max-w-[280px]"
        disabled={readOnly !== undefined}
        value={choice.chosen ?? ''}
        onChange={({ target }) => target.value !== '' && choose(Number(target.value))}
      >
        <option value="">Choose…</option>
        {choice.alternatives.map(({ label }, index) => (
          <option key={label} value={index}>
            {label}
          </option>
        ))}
      </Select>
    </div>
  );
}
