'use client';

import { useQuery } from '@tanstack/react-query';
import type { PhaseView, PlanView, StepView } from '@/components/instances/active-plan';
import { healthStatus } from '@/components/instances/health-status';
import { useInstanceView } from '@/components/instances/instance-context';
import { instanceApiPath } from '@/components/instances/instance-path';
import { request } from '@/components/live/request';
import { StatusMark } from '@/components/ui/status';
import { TimeAgo } from '@/components/ui/time-ago';
import type { StepExplanation } from '@/lib/kudo/step-explanation';

/** Why a step failed or keeps failing: object, pod, event and last log lines. */
export function FailureDetails({ plan, phase, step }: { plan: PlanView; phase: PhaseView; step: StepView }) {
  const { namespace, name } = useInstanceView();
  const place = new URLSearchParams({ plan: plan.name, phase: phase.name, step: step.name });
  const { data } = useQuery({
    // A later attempt of the same step has another time, and may have another reason.
    queryKey: ['explain', namespace, name, place.toString(), plan.updatedAt, step.message],
    queryFn: ({ signal }) => request<StepExplanation>(instanceApiPath(namespace, name, `explain?${place}`), { signal }),
    placeholderData: (previous) => previous,
  });
  if (data === undefined) return null;
  return (
    <div className="grid gap-2">
      <ul className="grid gap-1">
        {data.objects
          .filter(({ kind, name: object }) => !step.message.includes(`${kind} ${object}`))
          .map((object) => (
            <li key={`${object.kind}/${object.name}`} className="flex items-start gap-2">
              <StatusMark status={healthStatus[object.health.state]} />
              <span>
                <code className="text-ink">
                  {object.kind} {object.name}
                </code>{' '}
                {object.health.message}
              </span>
            </li>
          ))}
        {data.events.map((event) => (
          <li key={`${event.object}/${event.reason}/${event.at}`}>
            <code>{event.object.replace('/', ' ')}</code> <span className="text-wait">{event.reason}</span>{' '}
            {event.message}{' '}
            <span className="text-ink-3">
              <TimeAgo at={event.at} />
              {event.count > 1 && `, ${event.count} times`}
            </span>
          </li>
        ))}
      </ul>
      {data.pods.map((pod) => (
        <PodLog key={pod.name} pod={pod} />
      ))}
    </div>
  );
}

function PodLog({ pod }: { pod: StepExplanation['pods'][number] }) {
  return (
    <div className="grid gap-1">
      <p className="flex items-start gap-2">
        <StatusMark status={healthStatus[pod.health.state]} />
        <span>
          <code className="text-ink">Pod {pod.name}</code> {pod.health.message}
          {pod.container !== '' && (
            <>
              , container <code>{pod.container}</code>
            </>
          )}
        </span>
      </p>
      {pod.logLines.length > 0 && (
        <section
          aria-label={`Last log lines of ${pod.name}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
          tabIndex={0}
          className="max-h-52 overflow-auto rounded-md border bg-ground"
        >
          <pre className="mono p-2.5 leading-[1.5]">{pod.logLines.join('\n')}</pre>
        </section>
      )}
      {pod.logLines.length === 0 && (
        <p className="text-ink-3">{pod.logProblem ?? 'It has written nothing to its log.'}</p>
      )}
    </div>
  );
}
