'use client';

import { Columns3 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { laterDialog } from '@/components/ui/later-dialog';
import { loadPart } from '@/components/ui/load-part';
import type { ColumnsProps } from './columns-dialog';

const ColumnsDialog = laterDialog(() =>
  loadPart(() => import('./columns-dialog')).then((module) => module.ColumnsDialog),
);

/** Opens the choice of the columns. */
export function ColumnsButton(props: ColumnsProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        size="small"
        variant="quiet"
        icon={<Columns3 size={14} aria-hidden="true" />}
        onClick={() => setOpen(true)}
        className="ms-auto max-sm:hidden"
      >
        Columns
      </Button>
      <ColumnsDialog {...props} open={open} onClose={() => setOpen(false)} />
    </>
  );
}
