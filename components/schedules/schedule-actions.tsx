'use client';

import { Pause, Pencil, Play, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useBlocks } from '@/components/access/use-access';
import { Button } from '@/components/ui/button';
import { toSchedule } from '@/lib/kudo/view/action-rights';
import type { ScheduleRow } from '@/lib/kudo/view/schedule-row';
import { DeleteScheduleDialog } from './delete-schedule-dialog';
import { LazyScheduleDialog } from './lazy-schedule-dialog';

import { useSuspendSchedule } from './use-save-schedule';

/** Suspend or resume, edit, delete: with the rights of the person. */
export function ScheduleActions({ row }: { row: ScheduleRow }) {
  const { namespace, instance, schedule } = row;
  const [patchBlock, deleteBlock] = useBlocks([toSchedule('patch', namespace), toSchedule('delete', namespace)]);
  const suspend = useSuspendSchedule(row);
  const [asks, setAsks] = useState<'edit' | 'delete'>();
  const close = () => setAsks(undefined);
  const isSuspended = row.state === 'suspended';
  return (
    <>
      <Button
        icon={isSuspended ? <Play size={15} aria-hidden="true" /> : <Pause size={15} aria-hidden="true" />}
        disabledReason={patchBlock}
        busy={suspend.isPending}
        onClick={() => suspend.mutate(!isSuspended)}
      >
        {isSuspended ? 'Resume' : 'Suspend'}
      </Button>
      <Button
        icon={<Pencil size={15} aria-hidden="true" />}
        disabledReason={patchBlock}
        onClick={() => setAsks('edit')}
      >
        Edit
      </Button>
      <Button
        variant="danger"
        icon={<Trash2 size={15} aria-hidden="true" />}
        disabledReason={deleteBlock}
        onClick={() => setAsks('delete')}
      >
        Delete
      </Button>
      <LazyScheduleDialog
        open={asks === 'edit'}
        onClose={close}
        namespace={namespace}
        instance={instance}
        existing={schedule}
      />
      <DeleteScheduleDialog row={row} open={asks === 'delete'} onClose={close} />
    </>
  );
}
