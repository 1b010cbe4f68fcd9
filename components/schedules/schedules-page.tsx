'use client';

import { CalendarPlus } from 'lucide-react';
import { useMemo } from 'react';
import { useAddressFilter } from '@/components/live/use-address-filter';
import { useUrlState } from '@/components/resources/use-url-state';
import { useRunRows } from '@/components/runs/use-run-rows';
import { RefusedScope } from '@/components/shell/refused-scope';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { TopicState } from '@/components/ui/topic-state';
import { ViewTabs } from '@/components/ui/view-tabs';
import {
  filterSchedules,
  NO_SCHEDULE_FILTER,
  parseScheduleFilter,
  type ScheduleFilter,
  withScheduleFilter,
} from '@/lib/kudo/view/schedule-filter';
import type { ScheduleRow } from '@/lib/kudo/view/schedule-row';
import { NewScheduleButton } from './new-schedule-button';
import { NoScheduleDefinition } from './no-schedules';
import { ScheduleCalendarView } from './schedule-calendar-view';
import { ScheduleFilters } from './schedule-filters';
import { ScheduleTable } from './schedule-table';
import { useScheduleRows } from './use-schedule-rows';

/** All schedules, live, as a list or a calendar, with a filter that the address has. */
export function SchedulesPage() {
  const { rows, view } = useScheduleRows();
  const { filter, change } = useAddressFilter(parseScheduleFilter, inAddress);
  const shown = useMemo(() => filterSchedules(rows, filter), [rows, filter]);
  const icon = <CalendarPlus size={16} aria-hidden="true" />;
  return (
    <>
      <PageHeader
        title="Schedules"
        note={rows.length > 0 && String(rows.length)}
        actions={view.status === 'ready' && <NewScheduleButton variant="primary" icon={icon} />}
      >
        {rows.length > 0 && <ScheduleFilters rows={rows} filter={filter} change={change} />}
      </PageHeader>
      <section className="card overflow-clip" aria-label="All schedules">
        {view.status === 'missing' ? <NoScheduleDefinition /> : <TopicState view={view} what="schedules" />}
        <RefusedScope view={view} />
        {view.status === 'ready' && rows.length === 0 && (
          <EmptyState title="Nothing is scheduled" guide="schedules">
            A schedule starts a plan of an instance at set times: a backup each night, new passwords each month.
          </EmptyState>
        )}
        {rows.length > 0 && <ScheduleViews rows={shown} onClear={() => change(NO_SCHEDULE_FILTER)} />}
      </section>
    </>
  );
}

const VIEWS = [
  { key: 'list', label: 'List' },
  { key: 'calendar', label: 'Calendar' },
];

function ScheduleViews({ rows, onClear }: { rows: readonly ScheduleRow[]; onClear: () => void }) {
  const [wanted, choose] = useUrlState('view');
  const chosen = wanted === 'calendar' ? 'calendar' : 'list';
  return (
    <ViewTabs
      label="Views of the schedules"
      tabs={VIEWS}
      chosen={chosen}
      onChoose={(key) => choose(key === 'list' ? '' : key)}
    >
      {rows.length === 0 ? (
        <EmptyState
          title="No schedule matches the filter"
          action={<Button onClick={onClear}>Clear the filter</Button>}
        />
      ) : chosen === 'calendar' ? (
        <ScheduleCalendarView rows={rows} />
      ) : (
        <ListOfSchedules rows={rows} />
      )}
    </ViewTabs>
  );
}

function ListOfSchedules({ rows }: { rows: readonly ScheduleRow[] }) {
  const { rows: runs } = useRunRows();
  const byKey = useMemo(() => new Map(runs.map((run) => [run.key, run])), [runs]);
  return <ScheduleTable rows={rows} runs={byKey} withInstance />;
}

const inAddress = (filter: ScheduleFilter, query: URLSearchParams) => withScheduleFilter(query, filter);
