'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import { useInstanceView } from '@/components/instance-view/instance-context';
import { objectHref } from '@/components/resources/resource-path';
import { StatusIcon } from '@/components/ui/status-icon';
import { TimeAgo } from '@/components/ui/time-ago';
import { type Diagnosis, diagnosisOf, parametersOfImage } from '@/lib/kudo/view/diagnosis';
import { instancePath } from '@/lib/kudo/view/instance-path';
import type { StepExplanation } from '@/lib/kudo/view/step-explanation';
import { topics } from '@/lib/live/topic';

/** The one place that explains a problem: cause, object, event, what to do, and the end of the log. `then` follows the advice. */
export function ProblemPanel({ explanation, then }: { explanation: StepExplanation; then: string }) {
  const problem = diagnosisOf(explanation);
  if (problem === undefined) return null;
  const log = explanation.pods.find(({ name }) => name === problem.object.name)?.logLines ?? [];
  return (
    <section aria-label="Problem" className="grid gap-2 rounded-md border border-line-strong bg-surface p-3 text-ink">
      <p className="flex items-start gap-2 font-semibold text-sm">
        <span className="mt-0.5 text-wait">
          <StatusIcon shape="retry" />
        </span>
        <span className="min-w-0 break-words">{problem.cause}</span>
      </p>
      <dl className="grid grid-cols-[56px_minmax(0,1fr)] gap-x-3 gap-y-1.5 break-words">
        <Fact name="Object">
          <ProblemObject problem={problem} />
        </Fact>
        {problem.event !== undefined && (
          <Fact name="Event">
            <span className="font-medium text-wait">{problem.event.reason}:</span> {problem.event.message}{' '}
            <span className="text-ink-3">
              <TimeAgo at={problem.event.at} />
              {problem.event.count > 1 && `, ${problem.event.count} times`}
            </span>
          </Fact>
        )}
        {problem.advice + then !== '' && (
          <Fact name="Next">
            {problem.advice} {then} <ParameterLinks image={problem.image} />
          </Fact>
        )}
      </dl>
      {log.length > 0 && !problem.cause.endsWith(log.join('\n')) && (
        <ProblemLog name={problem.object.name} lines={log} />
      )}
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}

function ProblemObject({ problem }: { problem: Diagnosis }) {
  const { namespace } = useInstanceView();
  const { object, container, others } = problem;
  const name = (
    <code>
      {object.kind} {object.name}
    </code>
  );
  return (
    <>
      {object.kind === 'Pod' ? (
        <Link href={objectHref(topics.pods(namespace), namespace, object.name)} className="link">
          {name}
        </Link>
      ) : (
        name
      )}
      {container !== '' && (
        <>
          , container <code>{container}</code>
        </>
      )}
      {others > 0 && `, and ${others} more ${others === 1 ? 'pod' : 'pods'}`}
    </>
  );
}

/** Leads to the parameters that hold the image. */
function ParameterLinks({ image }: { image: string }) {
  const { row } = useInstanceView();
  if (row?.operatorVersionObject === undefined) return null;
  const names = parametersOfImage(image, row.operatorVersionObject, row.instance);
  if (names.length === 0) return null;
  return (
    <Link href={instancePath(row.namespace, row.name, 'parameters')} className="link font-medium text-accent">
      Edit {names.join(', ')}
    </Link>
  );
}

function ProblemLog({ name, lines }: { name: string; lines: readonly string[] }) {
  return (
    <section
      aria-label={`Last log lines of ${name}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
      tabIndex={0}
      className="max-h-52 overflow-auto rounded-md border bg-ground"
    >
      <pre className="mono p-2.5 leading-[1.5]">{lines.join('\n')}</pre>
    </section>
  );
}
