'use client';

import Link from 'next/link';
import { useObject } from '@/components/live/use-topic';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { KeyValues } from '@/components/ui/key-values';
import { Notice } from '@/components/ui/notice';
import { StatusText } from '@/components/ui/status';
import { TimeAgo } from '@/components/ui/time-ago';
import { TopicState } from '@/components/ui/topic-state';
import { useNow } from '@/components/ui/use-now';
import { formatElapsed } from '@/lib/clock/duration';
import { planTitle } from '@/lib/kudo/names';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import { durationOf } from '@/lib/kudo/runs/run-words';
import { type RunRow, runPath, runRow } from '@/lib/kudo/view/run-row';
import { topics } from '@/lib/live/topic';
import { NoRecords } from './no-records';
import { RunActions } from './run-actions';
import { RunChanges } from './run-changes';
import { RunRecordCards } from './run-record-cards';
import { RunTree } from './run-tree';

/** One run: why it began, how far it is, what it changed, and what can be done with it. Live until it is over. */
export function RunPage({ namespace, name }: { namespace: string; name: string }) {
  const { status, object, last, deleted, message } = useObject(topics.planRuns, namespace, name);
  const run = (object ?? last) as PlanRun | undefined;
  if (run !== undefined) return <RunBody run={run} deleted={deleted} />;
  return (
    <section className="card overflow-clip">
      {status === 'missing' ? (
        <NoRecords />
      ) : (
        <TopicState view={{ status, ...(message === undefined ? {} : { message }) }} what="runs" />
      )}
      {status === 'ready' && (
        <EmptyState title={`Run ${name} does not exist in namespace ${namespace}`}>
          Old runs are deleted when there are too many, or the address is wrong.
        </EmptyState>
      )}
    </section>
  );
}

function RunBody({ run, deleted }: { run: PlanRun; deleted: boolean }) {
  const row = runRow(run);
  return (
    <div className="grid gap-4">
      {deleted && <Notice tone="hold" title="The record of this run was deleted. This is its last known state." />}
      <Card
        title={
          <span className="flex flex-wrap items-center gap-x-3">
            {planTitle(row.plan)} <code className="font-normal text-ink-2">{row.name}</code>
            <StatusText status={row.status} />
          </span>
        }
        action={deleted ? undefined : <RunActions row={row} />}
        padded
      >
        {row.message !== '' && (
          <p className={row.status === 'FATAL_ERROR' ? 'mb-3 text-fail' : 'mb-3 text-ink-2'}>{row.message}</p>
        )}
        <Facts row={row} />
      </Card>
      <Card title="Steps">
        <RunTree row={row} />
      </Card>
      <RunChanges run={run} />
      {row.isOver && run.status?.recordName !== undefined && <RunRecordCards row={row} />}
    </div>
  );
}

function Facts({ row }: { row: RunRow }) {
  const nowMs = useNow(row.isOver ? 60_000 : 1_000);
  const { spec = {}, status = {} } = row.run;
  const took = durationOf(row.run, nowMs);
  const repeated = spec.retryOf;
  return (
    <KeyValues
      entries={[
        ['Why', row.why],
        ['Who', row.who === '' ? 'Nobody recorded who' : row.who],
        ['Reason', row.reason === '' ? undefined : row.reason],
        [
          'Repeats',
          repeated === undefined ? undefined : (
            <Link key="repeats" className="link" href={runPath({ ...row, name: repeated })}>
              {repeated}
            </Link>
          ),
        ],
        ['Started', row.startedAt === '' ? undefined : <TimeAgo key="started" at={row.startedAt} />],
        ['Finished', row.finishedAt === undefined ? undefined : <TimeAgo key="finished" at={row.finishedAt} />],
        [
          'Duration',
          took === undefined ? undefined : (
            <span key="took" className="tabular-nums">
              {formatElapsed(took)}
            </span>
          ),
        ],
        ['Version', status.operatorVersion === undefined ? undefined : versionText(row.run)],
        ['Stops after', (spec.stopAfter ?? '') === '' || row.isOver ? undefined : `phase ${spec.stopAfter}`],
      ]}
    />
  );
}

function versionText({ status = {} }: PlanRun): string {
  const { operatorVersion = '', operatorVersionBefore } = status;
  return operatorVersionBefore === undefined ? operatorVersion : `${operatorVersionBefore} → ${operatorVersion}`;
}
