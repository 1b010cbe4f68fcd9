'use client';

import { Dialog } from '@/components/ui/dialog';
import { nameOf } from '@/lib/kube/object';
import type { PlanSchedule } from '@/lib/kudo/schedules/plan-schedule';
import { ScheduleForm } from './schedule-form';

export interface ScheduleDialogProps {
  open: boolean;
  onClose: () => void;
  /** Of the Instance; empty when the person chooses one. */
  namespace: string;
  instance: string;
  /** The schedule to edit, with all its fields; absent for a new one. */
  existing?: PlanSchedule;
}

/** The form of a schedule: what starts, when, and what becomes of a slot that cannot start. */
export function ScheduleDialog(props: ScheduleDialogProps) {
  const { open, onClose, existing } = props;
  const title = existing === undefined ? 'New schedule' : `Edit schedule ${nameOf(existing)}`;
  return (
    <Dialog open={open} onClose={onClose} title={title} wide>
      <ScheduleForm {...props} />
    </Dialog>
  );
}
