import type { ReactNode } from 'react';

/** A key of the keyboard. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="rounded-sm border border-b-2 bg-surface px-[5px] font-medium font-sans text-2xs text-ink-3">
      {children}
    </kbd>
  );
}
