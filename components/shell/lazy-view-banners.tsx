'use client';

import dynamic from 'next/dynamic';

/** Loaded while somebody sees the console as another user. The server renders them all the same. */
export const LazyViewAsBanner = dynamic(() => import('./view-as-banner').then((module) => module.ViewAsBanner));
export const LazyRefusedViewBanner = dynamic(() =>
  import('./view-as-banner').then((module) => module.RefusedViewBanner),
);
