'use client';

import { laterDialog } from '@/components/ui/later-dialog';

export const LaterNameNamespaceDialog = laterDialog(() =>
  import('./name-namespace-dialog').then((module) => module.NameNamespaceDialog),
);
