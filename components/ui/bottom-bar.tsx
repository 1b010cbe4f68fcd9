'use client';

import { type ReactNode, useEffect } from 'react';
import { classNames } from './class-names';

/** What is about to happen and the buttons that do it, at the bottom of the window for as long as its page is longer. */
export function BottomBar({ label, className, children }: { label?: string; className?: string; children: ReactNode }) {
  useBottomBar();
  return (
    <section
      aria-label={label}
      className={classNames(
        'sticky bottom-3 mt-4 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line-strong bg-raised px-4 shadow-float',
        className ?? 'z-10 py-3',
      )}
    >
      {children}
    </section>
  );
}

let bars = 0;

/**
 * While a bar at the bottom is shown, the root element has `data-bottom-bar`, so that what gets the focus and toasts stay above it. A rule with :has() would
 * say the same, but makes the browser look at the whole page for every row that a list draws.
 */
export function useBottomBar(): void {
  useEffect(() => {
    bars += 1;
    mark();
    return () => {
      bars -= 1;
      mark();
    };
  }, []);
}

function mark(): void {
  document.documentElement.toggleAttribute('data-bottom-bar', bars > 0);
}
