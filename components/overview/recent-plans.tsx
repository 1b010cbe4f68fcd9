'use client';

import { Link } from '@/components/ui/link';
import { StatusMark } from '@/components/ui/status';
import { TimeAgo } from '@/components/ui/time-ago';
import { planTitle } from '@/lib/kudo/names';
import { instancePath } from '@/lib/kudo/view/instance-path';
import type { RecentPlan } from '@/lib/kudo/view/overview-lists';

/** Plans that ended, the newest first. */
export function RecentPlans({ plans }: { plans: readonly RecentPlan[] }) {
  if (plans.length === 0) return <p className="px-4 py-5 text-ink-2">No plan has ended yet.</p>;
  return (
    <ul className="divide-y divide-line">
      {plans.map(({ row, plan, endedAt }) => (
        <li key={`${row.key}/${plan.name}`} className="flex min-h-10 items-center gap-2.5 px-4 py-1.5">
          <StatusMark status={plan.status} />
          <div className="min-w-0 flex-1 truncate">
            <Link href={instancePath(row.namespace, row.name, 'plans')} className="link">
              <span className="font-semibold">{row.name}</span> {planTitle(plan.name)}
            </Link>{' '}
            <span className="text-ink-3">{row.namespace}</span>
          </div>
          <span className="text-ink-2 text-xs">
            <TimeAgo at={endedAt} />
          </span>
        </li>
      ))}
    </ul>
  );
}
