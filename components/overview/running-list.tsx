import { PlanSegments } from '@/components/plans/plan-segments';
import { Link } from '@/components/ui/link';
import { StatusText } from '@/components/ui/status';
import { instancePath } from '@/lib/kudo/view/instance-path';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { currentStep } from '@/lib/kudo/view/plan-view';

/** More than this are on the page of Instances. */
const MOST = 30;

/** Running plans with their step and what they wait for. */
export function RunningList({ rows }: { rows: readonly InstanceRow[] }) {
  return (
    <ul className="divide-y divide-line">
      {rows.slice(0, MOST).map((row) => {
        const plan = row.active;
        if (plan === undefined) return null;
        const current = currentStep(plan);
        return (
          <li
            key={row.key}
            className="grid gap-x-4 gap-y-1 px-4 py-2.5 sm:grid-cols-[128px_minmax(0,1fr)_auto] sm:items-center"
          >
            <StatusText status={row.state.key} word={row.state.word} />
            <div className="min-w-0">
              <Link href={instancePath(row.namespace, row.name)} className="link font-semibold">
                {row.name}
              </Link>{' '}
              <span className="text-ink-2">{row.namespace}</span>
              <p className="truncate text-ink-2 text-xs" title={row.state.detail}>
                {row.state.reason}
              </p>
            </div>
            <div className="flex flex-wrap items-center gap-x-2 sm:max-w-56 sm:justify-end">
              <code>{plan.name}</code>
              <PlanSegments plan={plan} />
              <span className="text-ink-3 text-xs">
                {Math.min(plan.doneSteps + (current === undefined ? 0 : 1), plan.totalSteps)} of {plan.totalSteps}
              </span>
            </div>
          </li>
        );
      })}
      {rows.length > MOST && (
        <li className="px-4 py-2.5">
          <Link href="/instances?status=running" className="link text-accent">
            and {rows.length - MOST} more
          </Link>
        </li>
      )}
    </ul>
  );
}
