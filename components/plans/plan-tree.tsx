import type { ReactNode } from 'react';
import { classNames } from '@/components/ui/class-names';
import { StatusMark } from '@/components/ui/status';
import type { RecordedRun } from '@/lib/kudo/plan/run-history';
import { plainMessage } from '@/lib/kudo/view/instance-state';
import type { PhaseView, PlanView, StepView } from '@/lib/kudo/view/plan-view';
import { NOT_REACHED, spanText } from '@/lib/kudo/view/run-facts';
import { statusWords } from '@/lib/kudo/view/status-words';
import { StepClock } from './plan-time';

/** What is shown below a step: what it waits for, or why it failed. */
export type StepDetails = (phase: PhaseView, step: StepView) => ReactNode;

/** Phases → steps of a plan with their state; the running step is marked. */
export function PlanTree({
  plan,
  details,
  history = [],
}: {
  plan: PlanView;
  details?: StepDetails;
  /** The recorded runs of the Instance: how long steps took. */
  history?: readonly RecordedRun[];
}) {
  return (
    <ul data-plan={plan.name} data-status={plan.status}>
      {plan.phases.map((phase) => (
        <li key={phase.name} data-plan={plan.name} data-phase={phase.name} data-status={phase.status}>
          <div className="flex items-center gap-2 border-b bg-sunken px-4 py-1.5 font-semibold text-ink-2 text-xs">
            <StatusMark status={phase.status} />
            {phase.name}
            {phase.serial !== undefined && (
              <span className="ms-auto font-normal text-ink-3">{phase.serial ? 'in order' : 'in parallel'}</span>
            )}
          </div>
          {phase.message !== '' && <p className="border-b px-4 py-2 text-fail">{plainMessage(phase.message)}</p>}
          <ul>
            {phase.steps.map((step) => (
              <StepItem key={step.name} plan={plan} phase={phase} step={step} details={details} history={history} />
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

/** How long a step of the shown run took; how many tasks it has while that is unknown. */
function tookText(history: readonly RecordedRun[], plan: PlanView, phase: PhaseView, step: StepView): string {
  const run = history.findLast(({ uid }) => uid === plan.uid);
  const recorded = run?.steps.find((one) => one.phase === phase.name && one.step === step.name);
  const took = spanText(recorded?.seconds);
  return took === '' && step.tasks.length > 1 ? `${step.tasks.length} tasks` : took;
}

/** The message without the parts that the details say: all of it while the step runs, its pods when it failed. */
function shownMessage(step: StepView, hasDetails: boolean): string {
  const message = plainMessage(step.message);
  if (!hasDetails) return message;
  return step.status === 'IN_PROGRESS' ? '' : message.replace(/; pod [^ ]+: .*$/s, '');
}

const WITH_DETAILS: readonly StepView['status'][] = ['IN_PROGRESS', 'ERROR', 'FATAL_ERROR'];

function StepItem({
  plan,
  phase,
  step,
  details,
  history,
}: {
  plan: PlanView;
  phase: PhaseView;
  step: StepView;
  details: StepDetails | undefined;
  history: readonly RecordedRun[];
}) {
  const hasDetails = WITH_DETAILS.includes(step.status);
  const message = shownMessage(step, details !== undefined);
  const isNotReached = step.status === 'PENDING' && plan.status === 'FATAL_ERROR';
  const word = isNotReached ? NOT_REACHED : statusWords[step.status].word;
  const extra = hasDetails ? details?.(phase, step) : undefined;
  return (
    <li
      data-plan={plan.name}
      data-phase={phase.name}
      data-step={step.name}
      data-status={step.status}
      className={classNames(
        'grid grid-cols-[18px_minmax(0,1fr)_auto] items-center gap-x-2.5 gap-y-1 border-b py-[9px] ps-9 pe-4',
        step.status === 'IN_PROGRESS' && 'bg-run-soft/55',
        step.status === 'ERROR' && 'bg-wait-soft/55',
        step.status === 'FATAL_ERROR' && 'bg-fail-soft/55',
      )}
    >
      <StatusMark status={step.status} word={word} />
      <span className="font-medium">{step.name}</span>
      <span className="text-ink-2 text-xs">
        {step.status === 'IN_PROGRESS' && step.startedAt !== undefined && (
          <>
            <StepClock
              history={history}
              place={{ plan: plan.name, phase: phase.name, step: step.name }}
              at={step.startedAt}
            />
            {' · '}
          </>
        )}
        {hasDetails || step.status === 'PENDING' ? word : tookText(history, plan, phase, step)}
      </span>
      {(message !== '' || extra !== undefined) && (
        <div className="col-start-2 col-end-4 grid gap-1.5 text-ink-2 text-xs">
          {message !== '' && (
            <p
              className={
                step.status === 'FATAL_ERROR' ? 'text-fail' : step.status === 'ERROR' ? 'text-wait' : undefined
              }
            >
              {message}
            </p>
          )}
          {extra}
        </div>
      )}
    </li>
  );
}
