'use client';

import { Lock } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useInstanceLock } from '@/components/access/instance-lock';
import { useAccess } from '@/components/access/use-access';
import { laterDialog } from '@/components/ui/later-dialog';
import { loadPart } from '@/components/ui/load-part';
import type { MenuEntry } from '@/components/ui/menu';
import { lockWords } from '@/lib/kudo/lock/instance-lock';
import { toChange } from '@/lib/kudo/view/action-rights';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';

const LockDialog = laterDialog(() => loadPart(() => import('./lock-dialogs')).then((module) => module.LockDialog));

/** The entry of a menu that locks an Instance, and the dialog that it opens. `gone` says why nothing can be changed any more. */
export function useLockEntry(row: InstanceRow, gone: string | undefined): { entry: MenuEntry; dialog: ReactNode } {
  const [open, setOpen] = useState(false);
  const lock = useInstanceLock(row.instance);
  const { block } = useAccess(toChange(row.namespace));
  const locked = lock === undefined ? undefined : `The instance ${lockWords(lock)}. Unlock it first.`;
  return {
    entry: {
      key: 'lock',
      label: 'Lock…',
      icon: <Lock size={15} aria-hidden="true" />,
      disabledReason: gone ?? locked ?? block,
      onSelect: () => setOpen(true),
    },
    dialog: <LockDialog row={row} open={open} onClose={() => setOpen(false)} />,
  };
}
