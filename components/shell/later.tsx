'use client';

import dynamic from 'next/dynamic';
import { loadPart } from '@/components/ui/load-part';

/** {@link LaterParts}, loaded after the page is shown. */
export const Later = dynamic(() => loadPart(() => import('./later-parts')).then((module) => module.LaterParts), {
  ssr: false,
});
