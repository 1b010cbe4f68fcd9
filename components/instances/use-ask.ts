'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useEffect, useState } from 'react';

/**
 * What the address asks about (`?ask=backup`, `?ask=delete`: the palette leads here): a question is shown, nothing is done. It
 * leaves the address as soon as it was read, so that going back or reloading does not ask again.
 */
export function useAsk(): readonly [asked: string | undefined, change: (asked: string | undefined) => void] {
  const path = usePathname();
  const wanted = useSearchParams().get('ask');
  const [asked, change] = useState<string>();
  useEffect(() => {
    if (wanted === null) return;
    change(wanted);
    window.history.replaceState(null, '', path);
  }, [wanted, path]);
  return [asked, change];
}
