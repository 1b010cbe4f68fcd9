'use client';

import { Plus } from 'lucide-react';
import { FirstSteps } from '@/components/install/first-steps';
import { InstallInvitation } from '@/components/instances/install-invitation';
import type { InstanceRow } from '@/components/instances/instance-row';
import { useInstanceRows } from '@/components/instances/use-instance-rows';
import { CrdsMissing } from '@/components/operators/crds-missing';
import { RefusedScope } from '@/components/shell/refused-scope';
import { LinkButton } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { PageHeader } from '@/components/ui/page-header';
import { StatusIcon } from '@/components/ui/status-icon';
import { TopicState } from '@/components/ui/topic-state';
import { AttentionList } from './attention-list';
import { needsAttention, recentPlans, worstFirst } from './overview-lists';
import { RecentPlans } from './recent-plans';
import { RunningList } from './running-list';

/** What needs a person, what runs now, what ended last. */
export function OverviewPage() {
  const { rows, view, total } = useInstanceRows();
  const isNew = view.status === 'ready' && view.objects.length === 0;
  const attention = rows.filter(needsAttention).sort(worstFirst);
  const running = rows.filter((row) => row.active !== undefined && row.active.status !== 'FATAL_ERROR');
  return (
    <>
      <PageHeader
        title="Overview"
        note={rows.length > 0 && total !== undefined && summaryOf(total, attention.length, running.length)}
        actions={
          <LinkButton href="/install" icon={<Plus size={16} aria-hidden="true" />}>
            Install
          </LinkButton>
        }
      />
      {view.status === 'missing' ? (
        <>
          <CrdsMissing />
          <FirstSteps />
        </>
      ) : isNew ? (
        <FirstSteps />
      ) : view.status !== 'ready' || rows.length === 0 ? (
        <section className="card overflow-clip">
          <TopicState view={view} what="instances" />
          <RefusedScope view={view} />
          {view.status === 'ready' && <InstallInvitation hidden={view.objects.length} />}
        </section>
      ) : (
        <OverviewCards attention={attention} running={running} rows={rows} />
      )}
    </>
  );
}

function OverviewCards({
  attention,
  running,
  rows,
}: {
  attention: readonly InstanceRow[];
  running: readonly InstanceRow[];
  rows: readonly InstanceRow[];
}) {
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1.65fr)_minmax(0,1fr)]">
      <div className="grid gap-4">
        <Card title="Needs attention" action={attention.length > 0 && <span>{attention.length}</span>}>
          {attention.length > 0 ? (
            <AttentionList rows={attention} />
          ) : (
            <p className="flex items-center gap-2 px-4 py-5 text-ink-2">
              <span className="text-ok">
                <StatusIcon shape="tick" />
              </span>
              Nothing failed, nothing retries, everything that should be ready is.
            </p>
          )}
        </Card>
        <Card title="Running now" action={running.length > 0 && <span>{running.length}</span>}>
          {running.length > 0 ? (
            <RunningList rows={running} />
          ) : (
            <p className="px-4 py-5 text-ink-2">No plan runs. Start one from an instance’s page.</p>
          )}
        </Card>
      </div>
      <Card title="Recent plans">
        <RecentPlans plans={recentPlans(rows)} />
      </Card>
    </div>
  );
}

function summaryOf(all: number, attention: number, running: number): string {
  const parts = [`${all} ${all === 1 ? 'instance' : 'instances'}`];
  if (attention > 0) parts.push(`${attention} ${attention === 1 ? 'needs' : 'need'} attention`);
  if (running > 0) parts.push(`${running} running`);
  return parts.join(' · ');
}
