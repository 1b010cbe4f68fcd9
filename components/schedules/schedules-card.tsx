'use client';

import { CalendarPlus } from 'lucide-react';
import { useMemo } from 'react';
import { useInstanceView } from '@/components/instance-view/instance-context';
import { useTopic } from '@/components/live/use-topic';
import { useInstanceRuns } from '@/components/runs/use-run-rows';
import { Card } from '@/components/ui/card';
import { topics } from '@/lib/live/topic';
import { NewScheduleButton } from './new-schedule-button';
import { ScheduleTable } from './schedule-table';
import { useInstanceSchedules } from './use-schedule-rows';

/** The schedules of the page's Instance; nothing on a cluster without their definition, or for a person who may not read them. */
export function SchedulesCard() {
  const { namespace, name, deleted } = useInstanceView();
  const rows = useInstanceSchedules(namespace, name);
  const { status } = useTopic(topics.planScheduleRowsOf(namespace, name));
  const runs = useInstanceRuns(namespace, name);
  const byKey = useMemo(() => new Map(runs.map((run) => [run.key, run])), [runs]);
  if (status !== 'ready' || (deleted && rows.length === 0)) return null;
  const icon = <CalendarPlus size={14} aria-hidden="true" />;
  return (
    <Card
      title="Schedules"
      note={rows.length > 0 && String(rows.length)}
      action={!deleted && <NewScheduleButton size="small" icon={icon} of={{ namespace, instance: name }} />}
    >
      {rows.length > 0 ? (
        <ScheduleTable rows={rows} runs={byKey} />
      ) : (
        <p className="px-4 py-5 text-ink-2">No plan of this instance starts by a schedule.</p>
      )}
    </Card>
  );
}
