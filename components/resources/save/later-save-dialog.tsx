'use client';

import dynamic from 'next/dynamic';
import { loadPart } from '@/components/ui/load-part';

/** Loaded when something is saved. */
export const LaterSaveDialog = dynamic(
  () => loadPart(() => import('./save-dialog')).then((module) => module.SaveDialog),
  { ssr: false },
);
