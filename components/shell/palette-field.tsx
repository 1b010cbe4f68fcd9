'use client';

import dynamic from 'next/dynamic';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { loadPart } from '@/components/ui/load-part';
import type { PaletteKeys } from './palette-results';

/** Loaded when the palette is opened first: no page needs it to be drawn. */
const PaletteResults = dynamic(
  () => loadPart(() => import('./palette-results')).then((module) => module.PaletteResults),
  {
    ssr: false,
    loading: () => <p className="px-4 py-6 text-center text-ink-3">Loading…</p>,
  },
);

/** The field of the palette, which takes keys at once, and what fits below it. Enter before that is loaded counts when it is. */
export function PaletteField({ onDone }: { onDone: () => void }) {
  const listId = useId();
  const [query, setQuery] = useState('');
  const [active, setActive] = useState<string>();
  const keys = useRef<PaletteKeys>({ isEntered: false, press: undefined });
  const onKeyDown = (event: KeyboardEvent) => {
    const { press } = keys.current;
    if (press !== undefined) press(event);
    else if (event.key === 'Enter') keys.current.isEntered = true;
  };
  return (
    <>
      <input
        // biome-ignore lint/a11y/noAutofocus: the dialog exists only to be typed into
        autoFocus
        role="combobox"
        aria-expanded={active !== undefined}
        aria-controls={listId}
        aria-activedescendant={active}
        aria-label="Find a page, an instance, an operator, a kind or an action"
        placeholder="Name, kind, or what to do: scale web 3"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
        onKeyDown={onKeyDown}
        className="h-12 w-full border-b bg-transparent px-4 text-md outline-none"
      />
      <PaletteResults query={query} listId={listId} keys={keys} onActive={setActive} onDone={onDone} />
    </>
  );
}
