'use client';

import { useMemo } from 'react';
import { useTopic } from '@/components/live/use-topic';
import { EmptyState } from '@/components/ui/empty-state';
import { StatusMark } from '@/components/ui/status';
import { TimeAgo } from '@/components/ui/time-ago';
import { TopicState } from '@/components/ui/topic-state';
import { numberAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { topics } from '@/lib/live/topic';

/** Events about objects without a namespace are kept here (Kubernetes). */
const CLUSTER_EVENTS = 'default';

/** The events about an object, newest first; all or the last few. */
export function ObjectEventList({ object, limit }: { object: KubeObject; limit?: number }) {
  const view = useTopic(topics.events(object.metadata.namespace ?? CLUSTER_EVENTS));
  const events = useMemo(() => eventsAbout(object, view.objects), [object, view.objects]);
  if (view.status !== 'ready') return <TopicState view={view} what="events" />;
  if (events.length === 0) {
    return limit === undefined ? (
      <EmptyState title="No events">Kubernetes keeps events for an hour. New ones appear here.</EmptyState>
    ) : (
      <p className="px-4 py-3 text-ink-3">No events in the last hour.</p>
    );
  }
  return (
    <ul className="divide-y divide-line">
      {events.slice(0, limit).map((event) => (
        <EventLine key={event.metadata.uid} event={event} />
      ))}
    </ul>
  );
}

function EventLine({ event }: { event: KubeObject }) {
  const isWarning = stringAt(event, 'type') === 'Warning';
  const count = numberAt(event, 'series', 'count') ?? numberAt(event, 'count') ?? 1;
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 px-4 py-2">
      <StatusMark
        className="mt-0.5 self-start"
        status={isWarning ? 'ERROR' : 'COMPLETE'}
        word={isWarning ? 'Warning' : 'Normal'}
      />
      <span className="basis-36 font-medium">{stringAt(event, 'reason')}</span>
      <span className="min-w-0 flex-1 basis-56 text-ink-2">
        {stringAt(event, 'message')} {count > 1 && <span className="text-ink-3">(× {count})</span>}
      </span>
      <span className="text-ink-3">
        <TimeAgo at={lastTimeOf(event)} />
      </span>
    </li>
  );
}

function eventsAbout(object: KubeObject, events: readonly KubeObject[]): KubeObject[] {
  const { uid, name } = object.metadata;
  return events
    .filter((event) => {
      const about = stringAt(event, 'involvedObject', 'uid');
      if (about !== undefined && about !== '') return about === uid;
      return (
        stringAt(event, 'involvedObject', 'kind') === object.kind && stringAt(event, 'involvedObject', 'name') === name
      );
    })
    .sort((a, b) => ((lastTimeOf(a) ?? '') < (lastTimeOf(b) ?? '') ? 1 : -1));
}

function lastTimeOf(event: KubeObject): string | undefined {
  return (
    stringAt(event, 'series', 'lastObservedTime') ??
    stringAt(event, 'lastTimestamp') ??
    stringAt(event, 'eventTime') ??
    event.metadata.creationTimestamp ??
    undefined
  );
}
