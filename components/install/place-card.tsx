'use client';

import { useState } from 'react';
import { Card } from '@/components/ui/card';
import { Field } from '@/components/ui/field';
import { Input, Select } from '@/components/ui/input';
import type { InstallDraft, TakenNames } from './install-draft';

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
  taken: TakenNames;
  problems: { namespace?: string; instance?: string };
  onChange: (part: Partial<InstallDraft>) => void;
}) {
  const [isNew, setIsNew] = useState(false);
  const names = [...taken.namespaces].sort();
  const isTyped = isNew || !taken.namespaces.has(draft.namespace);
  return (
    <Card title="Where">
      <div className="grid gap-x-6 gap-y-4 p-4 sm:grid-cols-2">
        <div className="grid content-start gap-3">
          <Field label="Namespace" hint={isTyped ? undefined : 'One that exists, or a new one.'}>
            {(wiring) => (
              <Select
                {...wiring}
                value={isTyped ? NEW : draft.namespace}
                onChange={(event) => {
                  setIsNew(event.target.value === NEW);
                  onChange({ namespace: event.target.value === NEW ? '' : event.target.value });
                }}
              >
                {names.map((name) => (
                  <option key={name}>{name}</option>
                ))}
                <option value={NEW}>A new namespace…</option>
              </Select>
            )}
          </Field>
          {isTyped && (
            <Field label="Name of the new namespace" error={problems.namespace} hint="It is created first.">
              {(wiring) => (
                <Input
                  {...wiring}
                  mono
                  spellCheck={false}
                  autoComplete="off"
                  value={draft.namespace}
                  onChange={(event) => onChange({ namespace: event.target.value })}
                />
              )}
            </Field>
          )}
        </div>
        <Field label="Instance name" error={problems.instance} hint="Objects of the instance are named after it.">
          {(wiring) => (
            <Input
              {...wiring}
              mono
              spellCheck={false}
              autoComplete="off"
              value={draft.instance}
              onChange={(event) => onChange({ instance: event.target.value })}
            />
          )}
        </Field>
      </div>
    </Card>
  );
}
