'use client';

import { useEffect, useState } from 'react';
import { replaceAddress } from '@/components/live/address';
import { usePathname, useSearchParams } from '@/components/ui/navigation';

/**
 * The dialog that the address asks for (`?ask=backup`, `?ask=delete`, from the palette): it is opened, nothing is started. The
 * address loses the question as soon as it was read, so that going back or reloading does not open the dialog again.
 */
export function useAsk(): readonly [asked: string | undefined, change: (asked: string | undefined) => void] {
  const path = usePathname();
  const wanted = useSearchParams().get('ask');
  const [asked, change] = useState<string>();
  useEffect(() => {
    if (wanted === null) return;
    change(wanted);
    replaceAddress(path);
  }, [wanted, path]);
  return [asked, change];
}
