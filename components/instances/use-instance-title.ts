'use client';

import { useEffect } from 'react';
import type { InstanceView } from '@/components/instance-view/instance-context';
import { instanceTitle } from '@/lib/kudo/view/instance-title';

/** Shows the state of the Instance in the title of the window. */
export function useInstanceTitle({ row, deleted }: InstanceView): void {
  const title = row === undefined ? undefined : instanceTitle(row, deleted);
  useEffect(() => {
    if (title !== undefined) document.title = `${title} – Bravo`;
  }, [title]);
}
