'use client';

import { useInstanceView } from '@/components/instance-view/instance-context';
import { PlanButton } from '@/components/plans/plan-button';
import { useRunHistory } from '@/components/plans/use-run-history';
import { Card } from '@/components/ui/card';
import { StatusText } from '@/components/ui/status';
import { TimeAgo } from '@/components/ui/time-ago';
import type { RecordedRun } from '@/lib/kudo/plan/run-history';
import { usualPlanTime } from '@/lib/kudo/plan/usual-time';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { planTitleOf, withoutVersion } from '@/lib/kudo/view/plan-availability';
import { type PlanView, plansOf } from '@/lib/kudo/view/plan-view';
import { spanText, usualText } from '@/lib/kudo/view/run-facts';

/** Every plan with its last result and the button that starts it. */
export function PlansCard({ row }: { row: InstanceRow }) {
  const { deleted } = useInstanceView();
  const plans = plansOf(row.instance, row.operatorVersionObject, { isDeleted: deleted });
  const history = useRunHistory(row);
  if (plans.length === 0) {
    return (
      <Card title="Plans" padded>
        <p className="text-ink-2">{withoutVersion(row)} It defines the plans.</p>
      </Card>
    );
  }
  return (
    <Card title="Plans">
      <table className="table">
        <caption className="sr-only">Plans</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">Plan</th>
            <th scope="col">Last result</th>
            <th scope="col">When</th>
            <th scope="col">How long</th>
            <th scope="col">Start</th>
          </tr>
        </thead>
        <tbody>
          {plans.map((plan) => (
            <tr key={plan.name} data-plan={plan.name} data-status={plan.status}>
              <td>
                <span className="font-semibold">{planTitleOf(row, plan.name)}</span>{' '}
                <code className="text-ink-3 max-sm:hidden">{plan.name}</code>
              </td>
              <td>
                <StatusText status={plan.status} />
              </td>
              <td className="text-ink-2 max-sm:hidden">
                <When plan={plan} />
              </td>
              <td className="num whitespace-nowrap text-ink-2 max-md:hidden">
                <Usual history={history} plan={plan.name} />
              </td>
              <td className="num">
                <PlanButton plan={plan.name} size="small" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

/** How long the plan usually takes, or took in its only complete run. */
function Usual({ history, plan }: { history: readonly RecordedRun[]; plan: string }) {
  const usual = usualPlanTime(history, plan);
  if (usual !== undefined) return usualText(usual);
  return spanText(history.findLast((run) => run.plan === plan && run.status === 'COMPLETE')?.seconds);
}

/** When a plan ended; of a running plan, how many steps are done. */
function When({ plan }: { plan: PlanView }) {
  if (plan.status === 'IN_PROGRESS' || plan.status === 'ERROR') return `${plan.doneSteps} of ${plan.totalSteps} steps`;
  if (plan.status === 'NEVER_RUN' || plan.status === 'PENDING' || plan.updatedAt === undefined) return null;
  return <TimeAgo at={plan.updatedAt} />;
}
