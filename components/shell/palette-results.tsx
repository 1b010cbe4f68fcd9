'use client';

import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useState } from 'react';
import { useFoundElsewhere } from '@/components/clusters/use-found-elsewhere';
import { withBasePath } from '@/components/ui/base-path';
import { useRouter } from '@/components/ui/navigation';
import { findEntries, type PaletteEntry } from './palette-entries';
import { usePreference } from './preferences';
import { usePaletteSources } from './use-palette-sources';

/** What the field of the palette passes on. */
export interface PaletteKeys {
  /** Enter was pressed before the results were there. */
  isEntered: boolean;
  /** Takes a key; undefined while the results are loaded. */
  press: ((event: KeyboardEvent) => void) | undefined;
}

interface ResultsProps {
  query: string;
  listId: string;
  keys: RefObject<PaletteKeys>;
  /** Called with the ID of the chosen option. */
  onActive: (id: string | undefined) => void;
  onDone: () => void;
}

/** What fits the query: the options of the palette. */
export function PaletteResults({ query, listId, keys, onActive, onDone }: ResultsProps) {
  const go = useGo(onDone);
  const { more, isSearching, ...known } = usePaletteSources(query !== '');
  const sources = { ...known, elsewhere: useFoundElsewhere(query) };
  const [chosen, setChosen] = useState({ query, at: 0 });
  // Another query begins at its first option.
  const at = chosen.query === query ? chosen.at : 0;
  const setAt = (index: number) => setChosen({ query, at: index });
  const found = findEntries(query, sources);
  const active = found[at] === undefined ? undefined : `${listId}-${at}`;
  useLayoutEffect(() => {
    keys.current.press = (event) => {
      if (event.key === 'ArrowDown') setAt(Math.min(at + 1, found.length - 1));
      else if (event.key === 'ArrowUp') setAt(Math.max(at - 1, 0));
      else if (event.key === 'Enter') go(found[at]);
      else return;
      event.preventDefault();
    };
    if (keys.current.isEntered) go(found[at]);
    keys.current.isEntered = false;
  });
  useEffect(() => onActive(active), [active, onActive]);
  return (
    <>
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

/** Leads to what an entry names. */
function useGo(onDone: () => void): (entry: PaletteEntry | undefined) => void {
  const router = useRouter();
  const setTheme = usePreference((store) => store.setTheme);
  const setNamespace = usePreference((store) => store.setNamespace);
  return (entry) => {
    if (entry === undefined) return;
    onDone();
    if (entry.goal.to === 'page') router.push(entry.goal.href);
    else if (entry.goal.to === 'cluster') window.location.assign(withBasePath(entry.goal.address));
    else if (entry.goal.to === 'theme') setTheme(entry.goal.theme);
    else setNamespace(entry.goal.namespace);
  };
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
