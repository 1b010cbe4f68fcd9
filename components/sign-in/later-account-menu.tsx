'use client';

import dynamic from 'next/dynamic';

/** Loaded where people sign in. */
export const LaterAccountMenu = dynamic(() => import('./account-menu').then((module) => module.AccountMenu));
