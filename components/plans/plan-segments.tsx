import { Fragment } from 'react';
import { classNames } from '@/components/ui/class-names';
import { toneSolid } from '@/components/ui/tones';
import type { PlanView } from '@/lib/kudo/view/plan-view';
import { type StatusKey, statusWords } from '@/lib/kudo/view/status-words';

/**
 * A plan as a row of segments, one per step, with gaps between phases; the running step is animated. Lists and the header of an
 * Instance have the same row. Its label says the same for screen readers.
 */
export function PlanSegments({ plan, small = false }: { plan: PlanView; small?: boolean }) {
  return (
    <span
      role="img"
      aria-label={`${plan.doneSteps} of ${plan.totalSteps} steps done`}
      data-plan={plan.name}
      data-status={plan.status}
      className="inline-flex max-w-full flex-wrap items-center gap-[2px]"
    >
      {plan.phases.map((phase, index) => (
        <Fragment key={phase.name}>
          {index > 0 && <span className="w-[3px]" />}
          {phase.steps.map((step) => (
            <span
              key={step.name}
              title={`${phase.name} / ${step.name}: ${statusWords[step.status].word}`}
              data-plan={plan.name}
              data-phase={phase.name}
              data-step={step.name}
              data-status={step.status}
              className={classNames(
                'h-1.5 rounded-[2px]',
                small || plan.totalSteps > 14 ? 'w-2' : 'w-3.5',
                segmentLook(step.status),
              )}
            />
          ))}
        </Fragment>
      ))}
    </span>
  );
}

function segmentLook(status: StatusKey): string {
  if (status === 'NEVER_RUN' || status === 'PENDING') return 'bg-idle-soft ring-1 ring-line ring-inset';
  const tone = toneSolid[statusWords[status].tone];
  return status === 'IN_PROGRESS' || status === 'ERROR' ? `${tone} animate-breathe` : tone;
}
