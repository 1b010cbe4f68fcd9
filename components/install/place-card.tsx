'use client';

import { useState } from 'react';
import { Card } from '@/components/ui/card';
import { Field } from '@/components/ui/field';
import { Input, Select } from '@/components/ui/input';
import type { InstallDraft, NamesInUse } from './install-draft';

/** No namespace's name; plain text, because a NUL does not survive the server's HTML. */
const NEW = '+new';

/** Where the instance will be: an existing namespace or a new one, and its name. */
export function PlaceCard({
  draft,
  taken,
  problems,
  onChange,
}: {
  draft: InstallDraft;
  taken: NamesInUse;
  problems: { namespace?: string; instance?: string };
  onChange: (part: Partial<InstallDraft>) => void;
}) {
  return (
    <Card title="Where">
      <div className="grid gap-x-6 gap-y-4 p-4 sm:grid-cols-2">
        {taken.namespaces === undefined ? (
          <NameField
            label="Namespace"
            hint="The name of an existing namespace: you may not list namespaces."
            error={problems.namespace}
            value={draft.namespace}
            onChange={(namespace) => onChange({ namespace })}
          />
        ) : (
          <NamespaceFields
            names={taken.namespaces}
            value={draft.namespace}
            error={problems.namespace}
            onChange={(namespace) => onChange({ namespace })}
          />
        )}
        <NameField
          label="Instance name"
          hint="Objects of the instance are named after it."
          error={problems.instance}
          value={draft.instance}
          onChange={(instance) => onChange({ instance })}
        />
      </div>
    </Card>
  );
}

/** A namespace to choose, or the name of a new one. */
function NamespaceFields({
  names,
  value,
  error,
  onChange,
}: {
  names: ReadonlySet<string>;
  value: string;
  error: string | undefined;
  onChange: (namespace: string) => void;
}) {
  const [isNew, setIsNew] = useState(false);
  const isTyped = isNew || !names.has(value);
  return (
    <div className="grid content-start gap-3">
      <Field label="Namespace" hint={isTyped ? undefined : 'Choose an existing namespace, or a new one.'}>
        {(wiring) => (
          <Select
            {...wiring}
            value={isTyped ? NEW : value}
            onChange={(event) => {
              setIsNew(event.target.value === NEW);
              onChange(event.target.value === NEW ? '' : event.target.value);
            }}
          >
            {[...names].sort().map((name) => (
              <option key={name}>{name}</option>
            ))}
            <option value={NEW}>A new namespace…</option>
          </Select>
        )}
      </Field>
      {isTyped && (
        <NameField
          label="Name of the new namespace"
          hint="The namespace is created first."
          error={error}
          value={value}
          onChange={onChange}
        />
      )}
    </div>
  );
}

function NameField({
  label,
  hint,
  error,
  value,
  onChange,
}: {
  label: string;
  hint: string;
  error: string | undefined;
  value: string;
  onChange: (name: string) => void;
}) {
  return (
    <Field label={label} error={error} hint={hint}>
      {(wiring) => (
        <Input
          {...wiring}
          mono
          spellCheck={false}
          autoComplete="off"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
