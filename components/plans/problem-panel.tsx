'use client';

import { useInstanceView } from '@/components/instance-view/instance-context';
import { Link } from '@/components/ui/link';
import { StatusIcon } from '@/components/ui/status-icon';
import type { FailureExplanation } from '@/lib/kudo/runs/failure-explanation';
import { diagnosisOf, parametersOfImage } from '@/lib/kudo/view/diagnosis';
import { instancePath } from '@/lib/kudo/view/instance-path';
import type { StepExplanation } from '@/lib/kudo/view/step-explanation';
import { FailureChain } from './failure-chain';

/**
 * The one place that explains a problem: the paragraph, the way from the step to its cause, and the end of the log.
 * `evidence` is what the cluster says now.
 */
export function ProblemPanel({
  explanation,
  evidence,
}: {
  explanation: FailureExplanation;
  evidence: StepExplanation;
}) {
  const { headline, paragraph, chain } = explanation;
  const problem = diagnosisOf(evidence);
  const pod = chain.find(({ kind }) => kind === 'pod')?.name;
  const log = evidence.pods.find(({ name }) => name === pod)?.logLines ?? [];
  const last = chain.find(({ kind }) => kind === 'log')?.text;
  return (
    <section aria-label="Problem" className="grid gap-2.5 rounded-md border border-line-strong bg-surface p-3 text-ink">
      <p className="flex items-start gap-2 text-sm">
        <span className="mt-0.5 text-wait">
          <StatusIcon shape="retry" />
        </span>
        <span className="min-w-0 max-w-[90ch] break-words">
          <strong className="font-semibold">{headline}</strong>
          {paragraph.slice(headline.length)} <ParameterLinks image={problem?.image ?? ''} />
        </span>
      </p>
      <FailureChain chain={chain} />
      {log.length > 0 && log.join('\n') !== last && <ProblemLog name={pod ?? ''} lines={log} />}
    </section>
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
