'use client';

import { Plus } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { isJsonObject } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import { starterValue } from '@/lib/schema/form/starter-value';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { type FormFieldProps, useFormScope } from './form-context';

const ANY: JsonSchema = {};

/** The entries of a map, whose keys the person chooses. */
export function MapFields({ path, member, value, locked }: FormFieldProps) {
  const { Field, readOnly } = useFormScope();
  const entries = Object.entries(isJsonObject(value) ? value : {});
  const { additionalProperties } = member.schema;
  const schema = typeof additionalProperties === 'object' ? additionalProperties : ANY;
  const shown = entries.slice(0, limits.forms.shownMembers);
  return (
    <div className="divide-y divide-line">
      {shown.map(([key, entry]) => (
        <Field
          key={key}
          path={[...path, key]}
          member={{ name: key, schema, isRequired: false, isSet: true, isKnown: true }}
          value={entry}
          locked={locked}
        />
      ))}
      {entries.length > shown.length && (
        <p className="px-4 py-2 text-ink-2">{entries.length - shown.length} more entries are in the YAML.</p>
      )}
      {readOnly === undefined && locked === undefined && (
        <NewEntry path={path} name={member.name} schema={schema} taken={entries.map(([key]) => key)} />
      )}
    </div>
  );
}

function NewEntry({
  path,
  name,
  schema,
  taken,
}: Pick<FormFieldProps, 'path'> & { name: string; schema: JsonSchema; taken: readonly string[] }) {
  const { edit } = useFormScope();
  const id = useId();
  const [key, setKey] = useState('');
  const reason =
    key === '' ? 'Enter a key first.' : taken.includes(key) ? `${name} has an entry ${key} already.` : undefined;
  const add = () => {
    if (reason !== undefined) return;
    edit({ op: 'set', path: [...path, key], value: starterValue(schema) }, [...path, key]);
    setKey('');
  };
  return (
    <div className="flex flex-wrap items-center gap-1.5 px-4 py-2">
      <label htmlFor={id} className="sr-only">
        New key of {name}
      </label>
      <Input
        id={id}
        mono
        autoComplete="off"
        spellCheck={false}
        placeholder="key"
        className="max-w-[280px]"
        value={key}
        onChange={({ target }) => setKey(target.value)}
        onKeyDown={(event) => event.key === 'Enter' && add()}
      />
      <Button size="small" icon={<Plus size={13} aria-hidden="true" />} disabledReason={reason} onClick={add}>
        Add entry to {name}
      </Button>
    </div>
  );
}
