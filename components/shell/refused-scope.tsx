'use client';

import dynamic from 'next/dynamic';
import { loadPart } from '@/components/ui/load-part';
import type { TopicView } from '@/lib/live/view';

const NameScope = dynamic(() => loadPart(() => import('./name-scope')).then((module) => module.NameScope));

/** Beside a list that is refused: the way to a namespace whose list is not. */
export function RefusedScope({ view }: { view: Pick<TopicView, 'status'> }) {
  return view.status === 'forbidden' ? <NameScope /> : null;
}
