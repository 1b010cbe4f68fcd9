'use client';

import { useMemo } from 'react';
import { usePathname, useSearchParams } from '@/components/ui/navigation';
import { replaceAddress } from './address';

/**
 * A filter that lives in the address, so that a link or a reload shows the same. Changing it replaces the entry of the history and asks the
 * server nothing: all rows are in the browser.
 *
 * A change is made to what the address says, not to what is shown: the page follows the address in a transition, and a second change before
 * that would undo the first.
 *
 * @param parse defined outside of the component, as is `format`
 * @param format the query, with or without its question mark; `query` is the one before
 */
export function useAddressFilter<Filter extends object>(
  parse: (query: URLSearchParams) => Filter,
  format: (filter: Filter, query: URLSearchParams) => string | URLSearchParams,
) {
  const path = usePathname();
  const params = useSearchParams();
  const filter = useMemo(() => parse(new URLSearchParams(params)), [params, parse]);
  const change = (changes: Partial<Filter>) => {
    const before = new URLSearchParams(window.location.search);
    const query = format({ ...parse(before), ...changes }, before)
      .toString()
      .replace(/^\?/, '');
    replaceAddress(query === '' ? path : `${path}?${query}`);
  };
  return { filter, change };
}
