'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useMemo } from 'react';
import { RefusedScope } from '@/components/shell/refused-scope';
import { Button, LinkButton } from '@/components/ui/button';
import { Chip } from '@/components/ui/chip';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { SearchInput } from '@/components/ui/search-input';
import { TopicState } from '@/components/ui/topic-state';
import { countStatuses, filterRuns, formatRunFilter, parseRunFilter, type RunFilter } from '@/lib/kudo/view/run-row';
import { statusWords } from '@/lib/kudo/view/status-words';
import { NoRecords } from './no-records';
import { RunTable } from './run-table';
import { useRunRows } from './use-run-rows';

/** All runs of plans, live, with a filter that the address has. */
export function RunsPage() {
  const { rows, view } = useRunRows();
  const { filter, change } = useFilter();
  const shown = useMemo(() => filterRuns(rows, filter), [rows, filter]);
  return (
    <>
      <PageHeader title="Runs" note={rows.length > 0 && String(view.total ?? rows.length)}>
        {rows.length > 0 && (
          <div className="flex flex-wrap items-center gap-2">
            <SearchInput
              label="Filter"
              placeholder="Filter by name, plan:backup, who:jane"
              value={filter.query}
              onChange={(query) => change({ query })}
            />
            {countStatuses(rows).map(([status, count]) => (
              <Chip
                key={status}
                pressed={filter.status === status}
                onClick={() => change({ status: filter.status === status ? undefined : status })}
              >
                {statusWords[status].word} <span className="tabular-nums">{count}</span>
              </Chip>
            ))}
          </div>
        )}
      </PageHeader>
      <section className="card overflow-clip">
        {view.status === 'missing' ? <NoRecords /> : <TopicState view={view} what="runs" />}
        <RefusedScope view={view} />
        {view.status === 'ready' && rows.length === 0 && (
          <EmptyState
            title="No plan has run yet"
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
            title="No run matches the filter"
            action={<Button onClick={() => change({ query: '', status: undefined })}>Clear the filter</Button>}
          />
        )}
        {shown.length > 0 && <RunTable rows={shown} withInstance />}
      </section>
    </>
  );
}

/** The address has the filter, so that it can be shared. */
function useFilter() {
  const path = usePathname();
  const params = useSearchParams();
  const filter = useMemo(() => parseRunFilter(new URLSearchParams(params)), [params]);
  const change = (changes: Partial<RunFilter>) =>
    window.history.replaceState(null, '', `${path}${formatRunFilter({ ...filter, ...changes })}`);
  return { filter, change };
}
