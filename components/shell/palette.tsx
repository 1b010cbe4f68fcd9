'use client';

import { Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useFoundElsewhere } from '@/components/clusters/use-found-elsewhere';
import { withBasePath } from '@/components/ui/base-path';
import { Kbd } from '@/components/ui/kbd';
import { useRouter } from '@/components/ui/navigation';
import { findEntries, type PaletteEntry } from './palette-entries';
import { usePreference } from './preferences';
import { usePaletteSources } from './use-palette-sources';

/** Find or do anything by name: Ctrl K (⌘ K). A combobox over pages, instances, operators, kinds and actions. */
export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      setOpen(true);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  useEffect(() => {
    if (open && dialog.current?.open === false) dialog.current.showModal();
    if (!open) dialog.current?.close();
  }, [open]);
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        className="flex h-8 max-w-[380px] flex-1 items-center gap-2 rounded-md border bg-ground px-2.5 text-ink-3 hover:border-ink-3 max-lg:hidden"
      >
        <Search size={15} aria-hidden="true" />
        Find or do anything
        <span className="ms-auto">
          <Kbd>Ctrl K</Kbd>
        </span>
      </button>
      <button
        type="button"
        aria-label="Find or do anything"
        onClick={() => setOpen(true)}
        className="grid size-8 shrink-0 place-items-center rounded-md text-ink-2 hover:bg-sunken hover:text-ink lg:hidden"
      >
        <Search size={16} aria-hidden="true" />
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too */}
      <dialog
        ref={dialog}
        aria-label="Find or do anything"
        onClose={() => setOpen(false)}
        onClick={(event) => event.target === event.currentTarget && setOpen(false)}
        className="mx-auto mt-[12vh] w-[calc(100vw-32px)] max-w-[560px] overflow-hidden rounded-lg border bg-raised p-0 text-ink shadow-float"
      >
        {open && <PaletteBody onDone={() => setOpen(false)} />}
      </dialog>
    </>
  );
}

function PaletteBody({ onDone }: { onDone: () => void }) {
  const router = useRouter();
  const listId = useId();
  const setTheme = usePreference((store) => store.setTheme);
  const setNamespace = usePreference((store) => store.setNamespace);
  const [query, setQuery] = useState('');
  const sources = { ...usePaletteSources(), elsewhere: useFoundElsewhere(query) };
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
        placeholder="Instance, operator, kind, or what to do"
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
        {found.length === 0 && <p className="px-3 py-6 text-center text-ink-2">No match.</p>}
      </div>
    </>
  );
}
