'use client';

import { useMemo } from 'react';
import {
  filterInstances,
  parseTableState,
  type SortColumn,
  sortInstances,
} from '@/components/instances/instance-filter';
import { useUrlState } from '@/components/resources/use-url-state';
import { useNamespaceScope } from '@/components/shell/preferences';
import { Button, LinkButton } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Notice } from '@/components/ui/notice';
import { PageHeader } from '@/components/ui/page-header';
import { SearchInput } from '@/components/ui/search-input';
import { SkeletonRows } from '@/components/ui/skeleton';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { AllInstancesTable, type ClusterInstanceRow } from './all-instances-table';
import { splitClusterWords } from './cluster-words';
import { type AllRows, type RowsOfCluster, useClusterRows } from './use-cluster-rows';
import { addressName, useClusters } from './use-clusters';

/** The Instances of all clusters. No cluster waits for another one: rows appear as clusters answer. */
export function AllInstancesPage() {
  const all = useClusterRows();
  const { data } = useClusters();
  const namespace = useNamespaceScope();
  const [query, setQuery] = useUrlState('q');
  const [order, setOrder] = useUrlState('sort');
  const { sort, descending } = parseTableState(new URLSearchParams({ sort: order }));
  const rows = useMemo(
    () => sorted(rowsThatFit(all.answered, query, namespace), sort, descending),
    [all.answered, query, namespace, sort, descending],
  );
  const waiting = (data?.clusters ?? []).filter(({ name }) => !all.answered.some(({ cluster }) => cluster === name));
  const addresses = useMemo(() => new Map(data?.clusters.map((each) => [each.name, addressName(each)])), [data]);
  return (
    <>
      <PageHeader
        title="Instances of all clusters"
        note={all.answered.length > 0 && `${rows.length} in ${all.answered.length} clusters`}
        actions={<LinkButton href="/instances">This cluster only</LinkButton>}
      >
        <SearchInput
          label="Filter"
          placeholder="Filter by name, cluster:staging, status:failed"
          value={query}
          onChange={setQuery}
        />
      </PageHeader>
      <Problems all={all} />
      {all.isLoading && waiting.length > 0 && all.answered.length > 0 && (
        <p role="status" className="mb-3 text-ink-2">
          Waiting for {waiting.map(({ title }) => title).join(', ')}.
        </p>
      )}
      <section
        className="card overflow-clip"
        aria-label="Instances of all clusters"
        data-clusters={all.answered.length}
      >
        {rows.length > 0 && (
          <AllInstancesTable
            rows={rows}
            addresses={addresses}
            sort={sort}
            descending={descending}
            onSort={(column, isDown) => setOrder(`${isDown ? '-' : ''}${column}`)}
          />
        )}
        {rows.length === 0 && all.isLoading && <SkeletonRows />}
        {rows.length === 0 && !all.isLoading && all.failure === undefined && (
          <NoRows query={query} clear={() => setQuery('')} />
        )}
      </section>
    </>
  );
}

function NoRows({ query, clear }: { query: string; clear: () => void }) {
  if (query === '') return <EmptyState title="No cluster that answers has an Instance here" />;
  return (
    <EmptyState title="No instance matches the filter" action={<Button onClick={clear}>Clear the filter</Button>} />
  );
}

/** What is missing on this page, and why. */
function Problems({ all: { answered, failure } }: { all: AllRows }) {
  const broken = answered.filter(({ problem }) => problem !== undefined);
  if (failure !== undefined)
    return (
      <Notice tone="wait" title="The clusters cannot be read" className="mb-4">
        {failure} Bravo retries automatically.
      </Notice>
    );
  if (broken.length === 0) return null;
  const others = answered.length - broken.length;
  return (
    <Notice
      tone="hold"
      title={
        broken.length === 1 ? `${broken[0]?.title} has no rows here` : `${broken.length} clusters have no rows here`
      }
      className="mb-4"
    >
      <ul>
        {broken.map(({ cluster, title, problem }) => (
          <li key={cluster}>
            {title}: {problem}
          </li>
        ))}
      </ul>
      {others > 0 && `The rows of the other ${others === 1 ? 'cluster' : `${others} clusters`} are shown.`}
    </Notice>
  );
}

function rowsThatFit(
  answered: readonly RowsOfCluster[],
  query: string,
  namespace: string | undefined,
): ClusterInstanceRow[] {
  const { clusters, rest } = splitClusterWords(query);
  return answered
    .filter(({ cluster, title }) => clusters.every((word) => `${cluster} ${title}`.toLowerCase().includes(word)))
    .flatMap(({ cluster, title, rows }) =>
      filterInstances(rows, { query: rest, status: undefined })
        .filter((row) => namespace === undefined || row.namespace === namespace)
        .map((row) => ({ cluster, title, row })),
    );
}

/** By the column, and then by cluster: sorting keeps the order of equal rows. */
function sorted(rows: readonly ClusterInstanceRow[], sort: SortColumn, descending: boolean): ClusterInstanceRow[] {
  const of = new Map<InstanceRow, ClusterInstanceRow>(rows.map((each) => [each.row, each]));
  return sortInstances([...of.keys()], { sort, descending }).flatMap((row) => of.get(row) ?? []);
}
