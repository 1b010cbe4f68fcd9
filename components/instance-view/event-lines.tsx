import { classNames } from '@/components/ui/class-names';
import { TimeAgo } from '@/components/ui/time-ago';
import type { EventLine } from '@/lib/kudo/view/instance-events';

/** Events, newest first, each with its object. */
export function EventLines({ events }: { events: readonly EventLine[] }) {
  return (
    <ul className="divide-y divide-line">
      {events.map((event) => (
        <li key={event.key} className="grid gap-x-3 px-4 py-2">
          <div className="flex flex-wrap items-baseline gap-x-2">
            <span className={classNames('font-medium', event.isWarning && 'text-wait')}>
              {event.isWarning && <span className="sr-only">Warning: </span>}
              {event.reason}
            </span>
            <code className="text-ink-2">{event.object.replace('/', ' ')}</code>
            <span className="ms-auto text-ink-3 text-xs">
              <TimeAgo at={event.at} />
              {event.count > 1 && ` · ${event.count}×`}
            </span>
          </div>
          <p className="text-ink-2">{event.message}</p>
        </li>
      ))}
    </ul>
  );
}
