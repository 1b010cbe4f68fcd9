'use client';

import { laterDialog } from '@/components/ui/later-dialog';
import { loadPart } from '@/components/ui/load-part';

export const LaterNameNamespaceDialog = laterDialog(() =>
  loadPart(() => import('./name-namespace-dialog')).then((module) => module.NameNamespaceDialog),
);
