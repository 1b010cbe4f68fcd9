'use client';

import { useState } from 'react';
import { EventLines } from '@/components/instance-view/event-lines';
import { Button } from '@/components/ui/button';
import { Chip } from '@/components/ui/chip';
import { EmptyState } from '@/components/ui/empty-state';
import { SearchInput } from '@/components/ui/search-input';
import { TopicState } from '@/components/ui/topic-state';
import { useInstanceEvents } from './use-instance-events';

/** Every event of the Instance and of the objects that it owns. */
export function InstanceEventsTab() {
  const { view, events } = useInstanceEvents();
  const [query, setQuery] = useState('');
  const [onlyWarnings, setOnlyWarnings] = useState(false);
  const warnings = events.filter((event) => event.isWarning).length;
  const shown = events.filter(
    (event) =>
      (!onlyWarnings || event.isWarning) &&
      `${event.reason} ${event.object} ${event.message}`.toLowerCase().includes(query.toLowerCase()),
  );
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <SearchInput label="Find in events" value={query} onChange={setQuery} />
        <Chip pressed={onlyWarnings} onClick={() => setOnlyWarnings(!onlyWarnings)}>
          {warnings} {warnings === 1 ? 'warning' : 'warnings'}
        </Chip>
      </div>
      <section className="card overflow-clip">
        <TopicState view={view} what="events" />
        {view.status === 'ready' && shown.length === 0 && (
          <NoEvents
            isFiltered={events.length > 0}
            onClear={() => {
              setQuery('');
              setOnlyWarnings(false);
            }}
          />
        )}
        <EventLines events={shown} />
      </section>
    </>
  );
}

function NoEvents({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (isFiltered) {
    return (
      <EmptyState title="No event matches the filter" action={<Button onClick={onClear}>Clear the filter</Button>} />
    );
  }
  return (
    <EmptyState title="No events">Kubernetes keeps events for one hour. None was recorded in that time.</EmptyState>
  );
}
