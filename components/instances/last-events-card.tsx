'use client';

import { EventLines } from '@/components/instance-view/event-lines';
import { useInstanceView } from '@/components/instance-view/instance-context';
import { Card } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import { SkeletonRows } from '@/components/ui/skeleton';
import { instancePath } from '@/lib/kudo/view/instance-path';
import { useInstanceEvents } from './use-instance-events';

/** The last five events. */
export function LastEventsCard() {
  const { namespace, name } = useInstanceView();
  const { view, events } = useInstanceEvents();
  return (
    <Card
      title="Last events"
      action={
        <Link href={instancePath(namespace, name, 'events')} className="link">
          All
        </Link>
      }
    >
      {view.status === 'ready' && events.length === 0 && <p className="p-4 text-ink-2">No recent events.</p>}
      {view.status === 'loading' && events.length === 0 && <SkeletonRows rows={3} />}
      {view.status !== 'ready' && view.status !== 'loading' && <p className="p-4 text-ink-2">{view.message}</p>}
      <EventLines events={events.slice(0, 5)} />
    </Card>
  );
}
