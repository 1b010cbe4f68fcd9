'use client';

import { useCallback } from 'react';
import { replaceAddress } from '@/components/live/address';
import { usePathname, useSearchParams } from '@/components/ui/navigation';

/**
 * A text that lives in the address, so that a link or a reload shows the same. Absent and empty are the same. Changing it
 * replaces the entry of the history and asks the server nothing.
 */
export function useUrlState(name: string): [value: string, change: (value: string) => void] {
  const params = useSearchParams();
  const path = usePathname();
  const change = useCallback(
    (value: string) => {
      const next = new URLSearchParams(window.location.search);
      if (value === '') next.delete(name);
      else next.set(name, value);
      const query = next.toString();
      replaceAddress(query === '' ? path : `${path}?${query}`);
    },
    [name, path],
  );
  return [params.get(name) ?? '', change];
}
