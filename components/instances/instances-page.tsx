'use client';

import { Plus } from 'lucide-react';
import dynamic from 'next/dynamic';
import { type ReactNode, useMemo } from 'react';
import { useAddressFilter } from '@/components/live/use-address-filter';
import { SavedViews } from '@/components/places/saved-views';
import { usePreference } from '@/components/shell/preferences';
import { RefusedScope } from '@/components/shell/refused-scope';
import { Button, LinkButton } from '@/components/ui/button';
import { Chip } from '@/components/ui/chip';
import { EmptyState } from '@/components/ui/empty-state';
import { loadPart } from '@/components/ui/load-part';
import { NewRows } from '@/components/ui/new-rows';
import { PageHeader } from '@/components/ui/page-header';
import { SearchInput } from '@/components/ui/search-input';
import { useSelection } from '@/components/ui/selection/use-selection';
import { TopicState } from '@/components/ui/topic-state';
import { useHeldRows } from '@/components/ui/use-held-rows';
import { MOST_MARKED, withDrift } from '@/lib/kudo/view/drift-marks';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { ColumnsButton } from './columns-button';
import {
  countGroups,
  filterInstances,
  formatTableState,
  groupWords,
  parseTableState,
  sortInstances,
  type TableState,
} from './instance-filter';
import { InstanceTable } from './instance-table';
import { LaterInstanceSelection } from './later-instance-selection';
import { formatLayout, parseLayout } from './table-layout';
import { useDriftCheck } from './use-drift-check';
import { useInstanceRows } from './use-instance-rows';

const CrdsMissing = dynamic(() =>
  loadPart(() => import('@/components/operators/crds-missing')).then((module) => module.CrdsMissing),
);
const InstallInvitation = dynamic(() =>
  loadPart(() => import('./install-invitation')).then((module) => module.InstallInvitation),
);
const PlanWaves = dynamic(
  () => loadPart(() => import('@/components/upgrades/plan-waves')).then((module) => module.PlanWaves),
  {
    ssr: false,
  },
);

const NO_ROWS: readonly InstanceRow[] = [];

/** All Instances of the scope, live, with filter and order. The address has the state of the table. `scope` leads to other clusters. */
export function InstancesPage({ scope }: { scope?: ReactNode }) {
  const { rows: plain, view, total } = useInstanceRows();
  const isMarked = plain.length <= MOST_MARKED;
  const { marks } = useDriftCheck(isMarked ? plain : NO_ROWS);
  const rows = useMemo(() => withDrift(plain, marks), [plain, marks]);
  const { filter: state, change } = useAddressFilter(parseTableState, formatTableState);
  const layout = usePreference((store) => store.layout);
  const setLayout = usePreference((store) => store.setLayout);
  const fitting = useMemo(() => sortInstances(filterInstances(rows, state), state), [rows, state]);
  // While the rest of a long list is still loading, no row is held back.
  const isWhole = view.status === 'ready' && view.total === undefined;
  const { shown, waiting, gone, release, pointer } = useHeldRows(fitting, `${isWhole} ${formatTableState(state)}`);
  const selection = useSelection<InstanceRow>();
  const namespaces = new Set(rows.map((row) => row.namespace)).size;
  return (
    <>
      <PageHeader
        title="Instances"
        note={
          rows.length > 0 && total !== undefined && countNote(total, view.total === undefined ? namespaces : undefined)
        }
        actions={
          <>
            {scope}
            <LinkButton href="/install" variant="primary" icon={<Plus size={16} aria-hidden="true" />}>
              Install
            </LinkButton>
          </>
        }
      >
        {rows.length > 0 && (
          <Filters rows={rows} state={state} change={change}>
            <NewRows waiting={waiting} onShow={release} />
            <SavedViews
              layout={formatLayout(layout) ?? ''}
              onLayout={(text) => setLayout(parseLayout(text === '' ? undefined : text))}
            />
            <ColumnsButton layout={layout} onChange={setLayout} />
          </Filters>
        )}
      </PageHeader>
      {view.status === 'missing' && <CrdsMissing />}
      <section className="card overflow-clip" {...pointer}>
        <TopicState view={view} what="instances" />
        <RefusedScope view={view} />
        {view.status === 'ready' && rows.length === 0 && <InstallInvitation hidden={view.objects.length} />}
        {rows.length > 0 && shown.length === 0 && (
          <EmptyState
            title="No instance matches the filter"
            action={<Button onClick={() => change({ query: '', status: undefined })}>Clear the filter</Button>}
          />
        )}
        {shown.length > 0 && (
          <InstanceTable
            rows={shown}
            gone={gone}
            isMarked={isMarked}
            state={state}
            onSort={(sort, descending) => change({ sort, descending })}
            selection={selection}
          />
        )}
      </section>
      <LaterInstanceSelection selection={selection} all={rows} shown={shown} />
      <PlanWaves />
    </>
  );
}

/** While only the first Instances are loaded, the number of namespaces is unknown. */
function countNote(total: number, namespaces: number | undefined): string {
  if (namespaces === undefined) return String(total);
  return `${total} in ${namespaces} ${namespaces === 1 ? 'namespace' : 'namespaces'}`;
}

function Filters({
  rows,
  state,
  change,
  children,
}: {
  rows: Parameters<typeof countGroups>[0];
  state: TableState;
  change: (changes: Partial<TableState>) => void;
  children: ReactNode;
}) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchInput
        label="Filter"
        placeholder="Filter by name, operator:postgres, status:failed"
        value={state.query}
        onChange={(query) => change({ query })}
      />
      {countGroups(rows).map(([group, count]) => (
        <Chip
          key={group}
          pressed={state.status === group}
          onClick={() => change({ status: state.status === group ? undefined : group })}
        >
          {count} {groupWords[group]}
        </Chip>
      ))}
      {children}
    </div>
  );
}
