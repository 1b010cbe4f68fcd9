'use client';

import { Plus } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '@/components/ui/button';
import { SearchInput } from '@/components/ui/search-input';
import { limits } from '@/lib/limits/limits';
import { typeWords } from '@/lib/schema/form/field-control';
import type { FormPath } from '@/lib/schema/form/field-path';
import { type ObjectMember, searchMembers } from '@/lib/schema/form/object-members';
import { starterValue } from '@/lib/schema/form/starter-value';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { useFormScope } from './form-context';
import { NewUnknownField } from './new-unknown-field';

/** Adds an optional field by its name: a list that a search narrows, so that the form shows only what is used. */
export function AddField({
  path,
  members,
  schema,
}: {
  path: FormPath;
  members: readonly ObjectMember[];
  schema: JsonSchema;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const isFree = schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (members.length === 0 && !isFree) return null;
  const owner = path.length === 0 ? 'the object' : String(path.at(-1));
  return (
    <div className="px-4 py-2">
      <Button
        size="small"
        aria-expanded={isOpen}
        aria-controls={id}
        icon={<Plus size={13} aria-hidden="true" />}
        onClick={() => setIsOpen(!isOpen)}
      >
        Add field to {typeof path.at(-1) === 'number' ? `item ${Number(path.at(-1)) + 1}` : owner}
      </Button>
      <div id={id} hidden={!isOpen}>
        {isOpen && (
          <FieldChoice path={path} members={members} isFree={isFree} onDone={() => setIsOpen(false)} owner={owner} />
        )}
      </div>
    </div>
  );
}

function FieldChoice({
  path,
  members,
  isFree,
  owner,
  onDone,
}: {
  path: FormPath;
  members: readonly ObjectMember[];
  isFree: boolean;
  owner: string;
  onDone: () => void;
}) {
  const { edit } = useFormScope();
  const [search, setSearch] = useState('');
  const found = searchMembers(members, search);
  const add = ({ name, schema }: ObjectMember) => {
    edit({ op: 'set', path: [...path, name], value: starterValue(schema) }, [...path, name]);
    onDone();
  };
  return (
    <div className="mt-2 grid max-w-[560px] gap-2 rounded-md border bg-sunken p-2">
      <SearchInput
        autoFocus
        label={`Fields of ${owner}`}
        placeholder="Name or description"
        value={search}
        onChange={setSearch}
        onKeyUp={(event) => {
          const [first] = found;
          // The key that opened the list may be released here.
          if (event.key === 'Enter' && search !== '' && first !== undefined) add(first);
        }}
      />
      <ul className="max-h-72 overflow-y-auto">
        {found.slice(0, limits.forms.found).map((member) => (
          <li key={member.name}>
            <button
              type="button"
              onClick={() => add(member)}
              className="grid w-full gap-x-2 rounded-md px-2 py-1 text-start hover:bg-accent-soft focus-visible:-outline-offset-2"
            >
              <span className="flex flex-wrap items-baseline gap-x-2">
                <code>{member.name}</code>
                <span className="text-ink-2 text-xs">{typeWords(member.schema)}</span>
              </span>
              {member.schema.description !== undefined && (
                <span className="line-clamp-2 text-ink-2 text-xs">{member.schema.description}</span>
              )}
            </button>
          </li>
        ))}
        {found.length === 0 && <li className="px-2 py-1 text-ink-2">No field contains “{search}”.</li>}
        {found.length > limits.forms.found && (
          <li className="px-2 py-1 text-ink-2">{found.length - limits.forms.found} more. Search to find them.</li>
        )}
      </ul>
      {isFree && <NewUnknownField path={path} onDone={onDone} />}
    </div>
  );
}
