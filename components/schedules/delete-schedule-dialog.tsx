'use client';

import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { useRouter } from '@/components/ui/navigation';
import { Notice } from '@/components/ui/notice';
import { useDestroyPause } from '@/components/ui/use-destroy-guard';
import type { ScheduleRow } from '@/lib/kudo/view/schedule-row';
import { useDeleteSchedule } from './use-save-schedule';

interface DeleteScheduleDialogProps {
  row: ScheduleRow;
  open: boolean;
  onClose: () => void;
}

/** Asks before a schedule is deleted, and says what stays. */
export function DeleteScheduleDialog(props: DeleteScheduleDialogProps) {
  return (
    <Dialog open={props.open} onClose={props.onClose} title={`Delete schedule ${props.row.name}?`}>
      <DeleteScheduleBody {...props} />
    </Dialog>
  );
}

function DeleteScheduleBody({ row, onClose }: DeleteScheduleDialogProps) {
  const router = useRouter();
  const pause = useDestroyPause();
  const remove = useDeleteSchedule(row, () => router.push('/schedules'));
  return (
    <div className="grid gap-4">
      <p>
        Plan <code>{row.plan}</code> of instance <b className="font-semibold">{row.instance}</b> starts no more by this
        schedule. A run that it started goes on, and its runs stay. To stop it for a time, suspend it instead.
      </p>
      {remove.isError && (
        <Notice tone="fail" alert title={`Schedule ${row.name} was not deleted`}>
          {remove.error.message}
        </Notice>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Keep it</Button>
        <Button variant="destroy" disabledReason={pause} busy={remove.isPending} onClick={() => remove.mutate()}>
          Delete schedule
        </Button>
      </div>
    </div>
  );
}
