'use client';

import { Undo2 } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useRightToStart } from '@/components/access/instance-lock';
import { useInstanceView } from '@/components/instance-view/instance-context';
import { Button } from '@/components/ui/button';
import { loadPart } from '@/components/ui/load-part';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import type { RunRow } from '@/lib/kudo/view/run-row';
import { useUndo } from './use-undo';

const UndoDialog = dynamic(() => loadPart(() => import('./undo-dialog')).then((module) => module.UndoDialog), {
  ssr: false,
});

/** Takes parameters and version of a run back. Nothing for a run that changed neither, or whose Instance does not exist any more. */
export function UndoButton({ row }: { row: RunRow }) {
  const { row: instance, deleted } = useInstanceView();
  const { changes = [], operatorVersionBefore } = row.run.status ?? {};
  const isThere = instance?.instance.metadata.uid === row.run.spec?.instanceUid && !deleted;
  if (instance === undefined || !isThere) return null;
  if (changes.length === 0 && operatorVersionBefore === undefined) return null;
  return <UndoOf row={row} instance={instance} />;
}

function UndoOf({ row, instance }: { row: RunRow; instance: InstanceRow }) {
  const undo = useUndo(row, instance);
  const { missing, block } = useRightToStart(instance);
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button
        size="small"
        icon={<Undo2 size={14} aria-hidden="true" />}
        disabledReason={missing ?? block}
        busy={undo.isPending}
        onClick={() => setAsking(true)}
      >
        Undo
      </Button>
      {asking && (
        <UndoDialog
          row={row}
          instance={instance}
          open
          onClose={() => setAsking(false)}
          onUndo={(wish) => {
            setAsking(false);
            undo.mutate(wish);
          }}
        />
      )}
    </>
  );
}
