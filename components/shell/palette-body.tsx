'use client';

import { type KeyboardEvent, useId, useState } from 'react';
import { useFoundElsewhere } from '@/components/clusters/use-found-elsewhere';
import { withBasePath } from '@/components/ui/base-path';
import { useRouter } from '@/components/ui/navigation';
import { takeEarlyQuery } from './early-query';
import { findEntries, type PaletteEntry } from './palette-entries';
import { usePreference } from './preferences';
import { usePaletteSources } from './use-palette-sources';

/** What is in the palette: the field, and what fits. */
export function PaletteBody({ onDone }: { onDone: () => void }) {
  const router = useRouter();
  const listId = useId();
  const setTheme = usePreference((store) => store.setTheme);
  const setNamespace = usePreference((store) => store.setNamespace);
  const [query, setQuery] = useState(takeEarlyQuery);
  const { more, isSearching, ...known } = usePaletteSources(query !== '');
  const sources = { ...known, elsewhere: useFoundElsewhere(query) };
  const [at, setAt] = useState(0);
  const found = findEntries(query, sources);
  const go = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return;
    onDone();
    if (entry.goal.to === 'page') router.push(entry.goal.href);
    else if (entry.goal.to === 'cluster') window.location.assign(withBasePath(entry.goal.address));
    else if (entry.goal.to === 'theme') setTheme(entry.goal.theme);
    else setNamespace(entry.goal.namespace);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setAt(Math.min(at + 1, found.length - 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(at - 1, 0));
    else if (event.key === 'Enter') go(found[at]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        // biome-ignore lint/a11y/noAutofocus: the dialog exists only to be typed into
        autoFocus
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={found[at] === undefined ? undefined : `${listId}-${at}`}
        aria-label="Find a page, an instance, an operator, a kind or an action"
        placeholder="Name, kind, or what to do: scale web 3"
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        className="h-12 w-full border-b bg-transparent px-4 text-md outline-none"
      />
      <div id={listId} role="listbox" aria-label="Found" className="max-h-[50vh] overflow-y-auto p-1">
        {found.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the combobox
          <div
            key={entry.key}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onClick={() => go(entry)}
            onPointerMove={() => setAt(index)}
            className="flex min-h-9 cursor-pointer items-center gap-3 rounded-md px-3 aria-selected:bg-accent-soft"
          >
            <span className="min-w-0 truncate font-medium">{entry.label}</span>
            <span className="ms-auto shrink-0 text-ink-3 text-xs">{entry.kind}</span>
          </div>
        ))}
        {found.length === 0 && (
          <p className="px-3 py-6 text-center text-ink-2">{isSearching ? 'Searching the objects…' : 'No match.'}</p>
        )}
      </div>
      {query !== '' && more.length > 0 && <MoreKinds kinds={more} />}
    </>
  );
}

/** Of these kinds only a part is searched by name. */
function MoreKinds({ kinds }: { kinds: readonly string[] }) {
  const named = kinds.slice(0, 3).join(', ');
  const others = kinds.length > 3 ? ` and ${kinds.length - 3} more kinds` : '';
  return (
    <p className="border-t px-4 py-2 text-ink-3 text-xs">
      Not every {named}
      {others} is searched by name. Open the list of the kind and filter it.
    </p>
  );
}
