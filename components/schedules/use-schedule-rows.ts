import { useMemo } from 'react';
import { useTopic } from '@/components/live/use-topic';
import { useNamespaceScope } from '@/components/shell/preferences';
import { useTopicInScope } from '@/components/shell/use-topic-within';
import { useNow } from '@/components/ui/use-now';
import type { PlanSchedule } from '@/lib/kudo/schedules/plan-schedule';
import { type ScheduleRow, scheduleRows } from '@/lib/kudo/view/schedule-row';
import { topics } from '@/lib/live/topic';
import type { TopicView } from '@/lib/live/view';

const MINUTE_MS = 60_000;

/** All schedules of the chosen scope, live: problems first, then what starts next. */
export function useScheduleRows(): { readonly rows: readonly ScheduleRow[]; readonly view: TopicView } {
  const view = useTopicInScope(topics.planScheduleRows);
  const scope = useNamespaceScope();
  const minuteMs = useMinute();
  const rows = useMemo(() => {
    const here = view.objects.filter(({ metadata }) => scope === undefined || metadata.namespace === scope);
    return scheduleRows(here as readonly PlanSchedule[], minuteMs);
  }, [view.objects, scope, minuteMs]);
  return { rows, view };
}

/** The schedules of one Instance, live. */
export function useInstanceSchedules(namespace: string, instance: string): readonly ScheduleRow[] {
  const { objects } = useTopic(topics.planScheduleRowsOf(namespace, instance));
  const minuteMs = useMinute();
  return useMemo(() => scheduleRows(objects as readonly PlanSchedule[], minuteMs), [objects, minuteMs]);
}

/** The minute of now, in wall milliseconds: slots are whole minutes. */
export function useMinute(): number {
  return Math.floor(useNow(5_000) / MINUTE_MS) * MINUTE_MS;
}
