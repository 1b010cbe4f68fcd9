'use client';

import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Kbd } from '@/components/ui/kbd';
import { PaletteField } from './palette-field';

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
        {open && <PaletteField onDone={() => setOpen(false)} />}
      </dialog>
    </>
  );
}
