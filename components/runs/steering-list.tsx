'use client';

import { useExactTime } from '@/components/ui/use-time-zone';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';

/** Who held, resumed, cancelled or shortened the run; nothing when nobody did. */
export function SteeringList({ run }: { run: PlanRun }) {
  const exact = useExactTime();
  const { steering = [] } = run.status ?? {};
  if (steering.length === 0) return null;
  return (
    <section aria-label="What people did" className="border-t">
      <h2 className="px-4 pt-3 font-semibold">What people did</h2>
      <ol className="divide-y divide-line">
        {steering.map(({ at = '', event = '', by, message = '' }) => (
          <li key={`${at} ${event} ${message}`} className="flex flex-wrap items-baseline gap-x-3 px-4 py-2">
            <span className="font-medium">{event}</span>
            <span className="min-w-0 text-ink-2">{message}</span>
            <span className="ms-auto text-ink-3 text-xs">
              {by !== undefined && `${by} · `}
              <time dateTime={at}>{exact(at)}</time>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
