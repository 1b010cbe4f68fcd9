'use client';

import { InstanceProvider } from '@/components/instance-view/instance-context';
import { useTopic } from '@/components/live/use-topic';
import { useUrlState } from '@/components/resources/use-url-state';
import { NoRecords } from '@/components/runs/no-records';
import { EmptyState } from '@/components/ui/empty-state';
import { Notice } from '@/components/ui/notice';
import { PageHeader } from '@/components/ui/page-header';
import { TopicState } from '@/components/ui/topic-state';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import { byTime } from '@/lib/kudo/runs/run-words';
import { instancePath } from '@/lib/kudo/view/instance-path';
import { type RunRow, runRows } from '@/lib/kudo/view/run-row';
import { topics } from '@/lib/live/topic';
import { ComparedRuns } from './compared-runs';
import { RunChoice } from './run-choice';

interface ComparePageProps {
  namespace: string;
  instance: string;
}

/** Two runs of an Instance side by side. The address has their names, so a link shows the same. Live while one of them runs. */
export function ComparePage({ namespace, instance }: ComparePageProps) {
  const view = useTopic({ ...topics.planRuns, namespace, of: [instance] });
  const rows = runRows(view.objects as readonly PlanRun[]);
  return (
    <InstanceProvider namespace={namespace} name={instance}>
      <PageHeader
        crumbs={[
          { label: 'Instances', href: '/instances' },
          { label: namespace },
          { label: instance, href: instancePath(namespace, instance, 'plans') },
          { label: 'Runs', href: `/runs?${new URLSearchParams({ instance })}` },
        ]}
        title={`Compare runs of ${instance}`}
      />
      {rows.length > 0 && <ChosenRuns rows={rows} />}
      {rows.length === 0 && (
        <section className="card overflow-clip">
          {view.status === 'missing' ? <NoRecords /> : <TopicState view={view} what="runs" />}
          {view.status === 'ready' && (
            <EmptyState title={`No run of instance ${instance} is recorded in namespace ${namespace}`} />
          )}
        </section>
      )}
    </InstanceProvider>
  );
}

function ChosenRuns({ rows }: { rows: readonly RunRow[] }) {
  const [from, setFrom] = useUrlState('from');
  const [to, setTo] = useUrlState('to');
  const chosen = [from, to].map((name) => rows.find((row) => row.name === name));
  const missing = [from, to].filter((name, at) => name !== '' && chosen[at] === undefined);
  const [earlier, later] = inOrder(chosen[0], chosen[1]);
  const choose = (before: string, after: string) => {
    setFrom(before);
    setTo(after);
  };
  return (
    <>
      <div className="mb-4 grid gap-3 sm:max-w-[760px] sm:grid-cols-2">
        <RunChoice label="From" rows={rows} chosen={earlier} onChoose={(name) => choose(name, later?.name ?? '')} />
        <RunChoice label="To" rows={rows} chosen={later} onChoose={(name) => choose(earlier?.name ?? '', name)} />
      </div>
      {missing.map((name) => (
        <Notice key={name} tone="hold" title={`Run ${name} does not exist`} className="mb-4">
          Old runs are deleted when there are too many, or the address is wrong.
        </Notice>
      ))}
      {earlier !== undefined && later !== undefined && earlier !== later && (
        <ComparedRuns key={`${earlier.name} ${later.name}`} earlier={earlier} later={later} rows={rows} />
      )}
      {(earlier === undefined || later === undefined || earlier === later) && (
        <section className="card">
          <EmptyState title="Choose two different runs">
            They are compared from the earlier one to the later one.
          </EmptyState>
        </section>
      )}
    </>
  );
}

/** The earlier run first, whichever the address names first. */
function inOrder(from: RunRow | undefined, to: RunRow | undefined): [RunRow | undefined, RunRow | undefined] {
  return from !== undefined && to !== undefined && byTime(from.run, to.run) < 0 ? [to, from] : [from, to];
}
