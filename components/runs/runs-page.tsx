'use client';

import { useMemo } from 'react';
import { useAddressFilter } from '@/components/live/use-address-filter';
import { RefusedScope } from '@/components/shell/refused-scope';
import { Button, LinkButton } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { NewRows } from '@/components/ui/new-rows';
import { PageHeader } from '@/components/ui/page-header';
import { TopicState } from '@/components/ui/topic-state';
import { useHeldRows } from '@/components/ui/use-held-rows';
import { useNow } from '@/components/ui/use-now';
import { filterRuns, formatRunFilter, NO_FILTER, parseRunFilter } from '@/lib/kudo/view/run-filter';
import { NoRecords } from './no-records';
import { RunFilters } from './run-filters';
import { RunTable } from './run-table';
import { useRunRows } from './use-run-rows';
import { WaitingApprovals } from './waiting-approvals';

/** All runs of plans, live, with a filter that the address has. */
export function RunsPage() {
  const { rows, view, total } = useRunRows();
  const { filter, change } = useAddressFilter(parseRunFilter, formatRunFilter);
  const nowMs = useNow(30_000);
  // Time passes without a new list where no time is chosen.
  const untilMs = filter.within === undefined ? 0 : nowMs;
  const fitting = useMemo(() => filterRuns(rows, filter, untilMs), [rows, filter, untilMs]);
  // While the rest of a long list is still loading, no row is held back.
  const isWhole = view.status === 'ready' && view.total === undefined;
  const { shown, waiting, release, pointer } = useHeldRows(fitting, `${isWhole} ${formatRunFilter(filter)}`);
  return (
    <>
      <PageHeader title="Runs" note={rows.length > 0 && total !== undefined && String(total)}>
        {rows.length > 0 && (
          <RunFilters rows={rows} filter={filter} change={change}>
            <NewRows waiting={waiting} onShow={release} />
          </RunFilters>
        )}
      </PageHeader>
      <WaitingApprovals />
      <section className="card overflow-clip" {...pointer}>
        {view.status === 'missing' ? <NoRecords /> : <TopicState view={view} what="runs" />}
        <RefusedScope view={view} />
        {view.read !== undefined && (
          <p className="border-b px-4 py-2 text-ink-2">
            {view.read} of {view.total} runs are read so far. Newer ones than these may follow.
          </p>
        )}
        {view.status === 'ready' && rows.length === 0 && (
          <EmptyState
            title="No plan has run yet"
            guide="runs"
            action={
              <LinkButton href="/install" variant="primary">
                Install an operator
              </LinkButton>
            }
          >
            Each run of a plan is listed here: why it began, who asked for it, and how it ended.
          </EmptyState>
        )}
        {rows.length > 0 && shown.length === 0 && (
          <EmptyState
            title={isWhole ? 'No run matches the filter' : 'No run that is loaded so far matches the filter'}
            action={<Button onClick={() => change(NO_FILTER)}>Clear the filter</Button>}
          />
        )}
        {shown.length > 0 && <RunTable rows={shown} withInstance />}
      </section>
    </>
  );
}
