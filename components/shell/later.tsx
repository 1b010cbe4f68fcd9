'use client';

import dynamic from 'next/dynamic';

/** {@link LaterParts}, loaded after the page is shown. */
export const Later = dynamic(() => import('./later-parts').then((module) => module.LaterParts), { ssr: false });
