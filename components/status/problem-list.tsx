'use client';

import { Card } from '@/components/ui/card';
import { StatusMark } from '@/components/ui/status';
import { useExactTime } from '@/components/ui/use-time-zone';
import { formatTime } from '@/lib/clock/clock';
import type { LoggedProblem } from '@/lib/status/product-status';

/** The last warnings and errors of the log, newest first. */
export function ProblemList({ problems }: { problems: readonly LoggedProblem[] }) {
  const exact = useExactTime();
  return (
    <Card title="Last warnings and errors" note={problems.length === 0 ? undefined : String(problems.length)}>
      {problems.length === 0 ? (
        <p className="p-4 text-ink-2">Console and controller have logged none since they started.</p>
      ) : (
        <ul className="divide-y divide-line">
          {problems.map((problem, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of a log have no names
            <li key={index} className="grid gap-x-3 gap-y-0.5 px-4 py-2 sm:grid-cols-[200px_minmax(0,1fr)]">
              <span className="flex items-center gap-2 text-ink-2">
                <StatusMark
                  status={problem.level === 'error' ? 'failing' : 'waiting'}
                  word={problem.level === 'error' ? 'Error' : 'Warning'}
                />
                {exact(formatTime(problem.atMs))}
              </span>
              <span className="min-w-0">
                <span className="font-medium">
                  {problem.part} {problem.event}
                </span>
                {problem.text !== '' && <code className="block break-words text-ink-2 text-xs">{problem.text}</code>}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
