'use client';

import { Search } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useEffect, useRef, useState } from 'react';
import { Kbd } from '@/components/ui/kbd';
import { noteEarlyQuery } from './early-query';

/** Loaded when it is opened first: no page needs it to be drawn. */
const PaletteBody = dynamic(() => import('./palette-body').then((module) => module.PaletteBody), {
  ssr: false,
  loading: () => (
    <input
      // biome-ignore lint/a11y/noAutofocus: what is typed while the palette is loaded is not lost
      autoFocus
      aria-label="Find or do anything"
      onChange={({ target }) => noteEarlyQuery(target.value)}
      className="h-12 w-full bg-transparent px-4 text-md outline-none"
    />
  ),
});

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
    // The palette may be closed before it is loaded.
    if (!open) noteEarlyQuery('');
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
