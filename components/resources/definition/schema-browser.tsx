'use client';

import { useDeferredValue, useMemo, useState } from 'react';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { SearchInput } from '@/components/ui/search-input';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { rootFields, type SchemaField, searchFields } from '@/lib/schema/schema-fields';
import { MOST_SCHEMA_ROWS, schemaRows } from '@/lib/schema/schema-rows';
import { FieldDetails } from './field-details';
import { SchemaTree } from './schema-tree';

const NOTHING_OPENED: ReadonlyMap<string, boolean> = new Map();

/** The fields of a kind as a tree, with what the schema says of the chosen one beside it, as `kubectl explain` prints it. */
export function SchemaBrowser({ kind, schema }: { kind: string; schema: JsonSchema }) {
  const [text, setText] = useState('');
  const query = useDeferredValue(text.trim());
  const [opened, setOpened] = useState(NOTHING_OPENED);
  const [chosen, setChosen] = useState<SchemaField>();
  const search = useMemo(() => (query === '' ? undefined : searchFields(schema, query)), [schema, query]);
  const { rows, isWhole } = useMemo(() => schemaRows(schema, opened, search), [schema, opened, search]);
  const shown = chosen ?? rows.find(({ node }) => node.id === 'spec')?.node ?? rootFields(schema)[0];
  const change = (next: string) => {
    setText(next);
    // What was opened by hand belongs to what was shown before.
    setOpened(NOTHING_OPENED);
  };
  const open = (ids: readonly string[], isOpen: boolean) =>
    setOpened((before) => new Map([...before, ...ids.map((id) => [id, isOpen] as const)]));
  return (
    <div className="grid min-w-0 lg:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)]">
      <div className="min-w-0 lg:border-e">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-2">
          <SearchInput label={`Find a field of ${kind}`} value={text} onChange={change} placeholder="Find a field" />
          {search !== undefined && (
            <span role="status" className="text-ink-2">
              {foundWords(search.found.size, search.isWhole)}
            </span>
          )}
        </div>
        {rows.length === 0 ? (
          <NoField query={query} onClear={() => change('')} />
        ) : (
          <SchemaTree kind={kind} rows={rows} chosen={shown?.id} onChoose={setChosen} onOpened={open} />
        )}
        {!isWhole && (
          <p className="border-t px-4 py-2 text-ink-2">
            The first {MOST_SCHEMA_ROWS} lines are shown. Close some fields, or search for a name.
          </p>
        )}
      </div>
      {shown !== undefined && <FieldDetails field={shown} />}
    </div>
  );
}

function foundWords(count: number, isWhole: boolean): string {
  const fields = `${count} ${count === 1 ? 'field' : 'fields'}`;
  return isWhole ? fields : `The first ${fields}. Type more letters to see others.`;
}

function NoField({ query, onClear }: { query: string; onClear: () => void }) {
  if (query === '') return <EmptyState title="The schema has no fields">Objects may hold any field.</EmptyState>;
  return (
    <EmptyState title="No field matches" action={<Button onClick={onClear}>Clear the search</Button>}>
      No name of a field contains “{query}”.
    </EmptyState>
  );
}
