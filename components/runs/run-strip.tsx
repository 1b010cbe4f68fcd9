'use client';

import { Link } from '@/components/ui/link';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { type RunRow, runPath } from '@/lib/kudo/view/run-row';
import { SteerButtons } from './run-actions';
import { useRunLines } from './use-run-lines';
import { useInstanceRuns } from './use-run-rows';

/** The record of an execution of an Instance: a link to its page, and how it is steered while it runs. Nothing when none exists. */
export function RunStrip({ row, uid }: { row: InstanceRow; uid: string | undefined }) {
  const runs = useInstanceRuns(row.namespace, row.name, row.instance.metadata.uid);
  const run = uid === undefined ? undefined : runs.find((each) => each.run.spec?.uid === uid);
  return run === undefined ? null : <KnownRun run={run} />;
}

function KnownRun({ run }: { run: RunRow }) {
  const lines = useRunLines(run.run);
  return (
    <>
      <Link href={runPath(run)} className="link" prefetch={false}>
        Run <code>{run.name}</code>
      </Link>
      {!run.isOver && (
        <span className="flex flex-wrap items-center gap-2 sm:ms-auto">
          <SteerButtons row={run} lines={lines} />
        </span>
      )}
    </>
  );
}
