'use client';

import dynamic from 'next/dynamic';
import { loadPart } from '@/components/ui/load-part';

/** Loaded where people sign in. */
export const LaterAccountMenu = dynamic(() =>
  loadPart(() => import('./account-menu')).then((module) => module.AccountMenu),
);
