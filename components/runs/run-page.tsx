'use client';

import { InstanceProvider } from '@/components/instance-view/instance-context';
import { useObject } from '@/components/live/use-topic';
import { LinkButton } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Notice } from '@/components/ui/notice';
import { TopicState } from '@/components/ui/topic-state';
import { usePrinting } from '@/components/ui/use-printing';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import { runRow } from '@/lib/kudo/view/run-row';
import { topics } from '@/lib/live/topic';
import { NoRecords } from './no-records';
import { PrintedSteps } from './printed-steps';
import { RunBody } from './run-body';
import { RunHeader } from './run-header';
import { useRunLines } from './use-run-lines';
import { useRunTitle } from './use-run-title';

interface RunPageProps {
  namespace: string;
  instance: string;
  name: string;
}

/** One run: why it began, how far it is, what it changed, and what can be done with it. Live until it is over. */
export function RunPage(props: RunPageProps) {
  return (
    <InstanceProvider namespace={props.namespace} name={props.instance}>
      <RunOfAddress {...props} />
    </InstanceProvider>
  );
}

function RunOfAddress({ namespace, instance, name }: RunPageProps) {
  const { status, object, last, deleted, message } = useObject(topics.planRuns, namespace, name);
  const run = (object ?? last) as PlanRun | undefined;
  if (run?.spec?.instanceName === instance) return <KnownRun run={run} deleted={deleted} />;
  return (
    <section className="card overflow-clip">
      {status === 'missing' ? (
        <NoRecords heading />
      ) : (
        <TopicState view={{ status, ...(message === undefined ? {} : { message }) }} what="runs" />
      )}
      {status === 'ready' && (
        <EmptyState
          heading
          title={`Run ${name} of instance ${instance} does not exist in namespace ${namespace}`}
          action={
            <LinkButton href="/runs" variant="primary">
              All runs
            </LinkButton>
          }
        >
          Old runs are deleted when there are too many, or the address is wrong.
        </EmptyState>
      )}
    </section>
  );
}

function KnownRun({ run, deleted }: { run: PlanRun; deleted: boolean }) {
  const row = runRow(run);
  const lines = useRunLines(run);
  useRunTitle(row);
  const isPrinting = usePrinting();
  return (
    <>
      <RunHeader row={row} lines={lines} deleted={deleted} />
      {deleted && (
        <Notice tone="hold" title={`The record of run ${row.name} was deleted`} className="mb-4">
          This page shows its last known state.
        </Notice>
      )}
      {isPrinting && <PrintedSteps row={row} lines={lines} />}
      <div className="print:hidden">
        <RunBody row={row} lines={lines} deleted={deleted} />
      </div>
    </>
  );
}
