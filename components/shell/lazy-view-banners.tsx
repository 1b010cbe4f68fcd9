'use client';

import dynamic from 'next/dynamic';
import { loadPart } from '@/components/ui/load-part';

/** Loaded while somebody sees the console as another user. The server renders them all the same. */
export const LazyViewAsBanner = dynamic(() =>
  loadPart(() => import('./view-as-banner')).then((module) => module.ViewAsBanner),
);
export const LazyRefusedViewBanner = dynamic(() =>
  loadPart(() => import('./view-as-banner')).then((module) => module.RefusedViewBanner),
);
