'use client';

import { useEffect } from 'react';
import { runTitle } from '@/lib/kudo/view/instance-title';
import type { RunRow } from '@/lib/kudo/view/run-row';

/** Shows the state of the run in the title of the window. */
export function useRunTitle(row: RunRow): void {
  const title = runTitle(row);
  useEffect(() => {
    document.title = `${title} – Bravo`;
  }, [title]);
}
