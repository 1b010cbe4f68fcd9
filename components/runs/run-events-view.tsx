'use client';

import { useMemo } from 'react';
import { EventLines } from '@/components/instance-view/event-lines';
import { useTopic } from '@/components/live/use-topic';
import { EmptyState } from '@/components/ui/empty-state';
import { TopicState } from '@/components/ui/topic-state';
import type { FailureEvent } from '@/lib/kudo/runs/record-format';
import { type EventLine, instanceEvents } from '@/lib/kudo/view/instance-events';
import { eventsOfRun } from '@/lib/kudo/view/run-events';
import type { RunRow } from '@/lib/kudo/view/run-row';
import { topics } from '@/lib/live/topic';
import { useRunRecord } from './use-run-record';

/** Events of the Instance and its objects in the time of the run; of a failed run also those that its record keeps. */
export function RunEventsView({ row }: { row: RunRow }) {
  const view = useTopic(topics.eventsOf(row.namespace, [row.instance]));
  const { record } = useRunRecord(row);
  const events = useMemo(
    () => eventsOfRun(instanceEvents(view.objects, row.instance, undefined), row),
    [view.objects, row],
  );
  const kept = record?.failure?.events ?? [];
  const isEmpty = events.length === 0 && kept.length === 0;
  return (
    <>
      {isEmpty && <TopicState view={view} what="events" />}
      {isEmpty && view.status === 'ready' && (
        <EmptyState title="No events">
          Kubernetes keeps events for one hour. None of the time of this run exists any more, or none was recorded.
        </EmptyState>
      )}
      {events.length > 0 ? <EventLines events={events} /> : <EventLines events={kept.map(keptLine)} />}
    </>
  );
}

/** What is recorded are warnings about objects that failed. */
function keptLine({ object, reason, message, time, count }: FailureEvent, at: number): EventLine {
  return { key: `${at} ${object}`, isWarning: true, reason, message, object, at: time, count, written: 0 };
}
