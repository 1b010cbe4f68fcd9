'use client';

import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import { useAccess } from '@/components/access/use-access';
import { CrdsMissing } from '@/components/operators/crds-missing';
import { SavedViews } from '@/components/places/saved-views';
import { useUsageColumns } from '@/components/pods/usage-columns';
import { useNamespaceScope } from '@/components/shell/preferences';
import { Button, LinkButton } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { NewRows } from '@/components/ui/new-rows';
import { PageHeader } from '@/components/ui/page-header';
import { SearchInput } from '@/components/ui/search-input';
import type { RowSelection } from '@/components/ui/selection/row-selection';
import { SelectionBar } from '@/components/ui/selection/selection-bar';
import { useSelection, useSurvey } from '@/components/ui/selection/use-selection';
import { Tag } from '@/components/ui/tag';
import { TopicState } from '@/components/ui/topic-state';
import { useHeldRows } from '@/components/ui/use-held-rows';
import { WHOLE_UP_TO } from '@/components/ui/use-virtual-rows';
import { accessTo } from '@/lib/kube/access';
import { kindMeaning } from '@/lib/kube/kind-meanings';
import { type KindSummary, resourceName } from '@/lib/kube/kinds';
import type { GroupVersionResource } from '@/lib/kube/object';
import type { Table, TableColumn } from '@/lib/kube/table';
import { formatTopic } from '@/lib/live/topic';
import { WhyUnavailable } from './api-service/unavailable-versions';
import { useBulkActions } from './bulk/use-bulk-actions';
import { HiddenColumns } from './hidden-columns';
import { ObjectPanel } from './panel/object-panel';
import { type ChosenObject, placeAmong, useChosenObject } from './panel/use-chosen-object';
import { PrintedTable, type ShownColumn } from './printed-table';
import { createHref, explainHref, newHref, objectHref } from './resource-path';
import { filterListRows, type ListRow, NAMESPACE_COLUMN, parseSort, sortListRows } from './table-rows';
import { type PrintedList, usePrintedList } from './use-printed-list';
import { useUrlState } from './use-url-state';

const CRDS: GroupVersionResource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  resource: 'customresourcedefinitions',
};

/** Until it is known what the kind allows. */
const ANY_VERBS: readonly string[] = ['delete', 'patch'];

interface ListPageProps {
  type: GroupVersionResource;
  kind: KindSummary | undefined;
  initial: Table | undefined;
}

/** The list of one kind, live, in the kind's own columns. */
export function ResourceListPage({ type, kind, initial }: ListPageProps) {
  const scope = useNamespaceScope();
  const namespace = kind?.namespaced === false ? undefined : scope;
  // Another scope is another list: nothing of the first one's state may stay.
  return <KindList key={namespace ?? '*'} type={type} kind={kind} initial={initial} namespace={namespace} />;
}

function KindList({ type, kind, initial, namespace }: ListPageProps & { namespace: string | undefined }) {
  const list = usePrintedList(type, namespace, initial);
  const [filter, setFilter] = useUrlState('filter');
  const [sort, setSort] = useUrlState('sort');
  const [columnChoice, setColumnChoice] = useUrlState('columns');
  const isWide = columnChoice === 'all';
  // Of events the newest is what one looks for.
  const order = useMemo(() => parseSort(sort === '' && type.resource === 'events' ? 'Last Seen' : sort), [sort, type]);
  const columns = useMemo(
    () => shownColumns(list.columns, { isWide, withNamespace: kind?.namespaced !== false && namespace === undefined }),
    [list.columns, isWide, kind, namespace],
  );
  const fitting = useMemo(
    () => sortListRows(filterListRows(list.rows, filter), list.columns, order),
    [list.rows, list.columns, filter, order],
  );
  const isWhole = list.view.status === 'ready' && list.rows.length === list.total;
  const held = useHeldRows(fitting, `${isWhole} ${filter}\n${sort}`);
  const rows = held.shown;
  const extras = useUsageColumns(type, namespace, list.total);
  const chosen = useChosenObject();
  const selection = useSelection<ListRow>();
  const title = kind?.kind ?? type.resource;
  const isListed = list.view.status === 'ready' || list.rows.length > 0;
  return (
    <>
      <PageHeader
        title={title}
        crumbs={[{ label: 'Resources', href: '/resources' }, { label: resourceName(type) }]}
        note={isListed ? countNote(list, fitting.length, namespace) : undefined}
        actions={<ListActions type={type} kind={kind} namespace={namespace} />}
      >
        <div className="flex flex-wrap items-center gap-2">
          <SearchInput
            label={`Filter ${type.resource}`}
            value={filter}
            onChange={setFilter}
            placeholder="Filter by any column"
          />
          <HiddenColumns columns={list.columns} isWide={isWide} onChoose={setColumnChoice} />
          <SavedViews />
          <NewRows waiting={held.waiting} onShow={held.release} />
        </div>
      </PageHeader>
      {list.view.status === 'missing' && type.group === 'kudo.dev' && <CrdsMissing />}
      {(list.view.status === 'missing' || list.view.status === 'failed') && <WhyUnavailable type={type} />}
      <Card pointer={held.pointer} className={rows.length > WHOLE_UP_TO ? 'overflow-clip' : 'overflow-x-auto'}>
        {!isListed && <TopicState view={list.view} what={type.resource} />}
        {isListed && rows.length > 0 && (
          <PrintedTable
            type={type}
            label={title}
            columns={columns}
            extras={extras}
            rows={rows}
            gone={held.gone}
            order={order}
            onSort={(column, descending) => setSort(descending ? `-${column}` : column)}
            chosen={chosen.key}
            onLook={chosen.choose}
            selection={selection}
          />
        )}
        {isListed && rows.length === 0 && (
          <NothingListed
            title={title}
            type={type}
            filter={filter}
            namespace={namespace}
            onClear={() => setFilter('')}
          />
        )}
      </Card>
      <ListSelection type={type} kind={kind} selection={selection} all={list.rows} shown={rows} />
      <ListPanel type={type} rows={rows} chosen={chosen} />
    </>
  );
}

/** What is selected, and what can be done with it. */
function ListSelection({
  type,
  kind,
  selection,
  all,
  shown,
}: {
  type: GroupVersionResource;
  kind: KindSummary | undefined;
  selection: RowSelection<ListRow>;
  all: readonly ListRow[];
  shown: readonly ListRow[];
}) {
  const survey = useSurvey(selection, all, shown);
  const targets = useMemo(
    () =>
      survey.present.map(({ namespace, name, uid }) => ({
        type,
        namespace,
        name,
        uid,
        kind: kind?.kind ?? type.resource,
      })),
    [survey, type, kind],
  );
  const actions = useBulkActions({ type, selection, targets, verbs: kind?.verbs ?? ANY_VERBS });
  return (
    <>
      <SelectionBar selection={selection} survey={survey} nameOf={({ name }) => name}>
        {actions.buttons}
      </SelectionBar>
      {actions.dialog}
    </>
  );
}

/** One object of the list beside it. */
function ListPanel({
  type,
  rows,
  chosen,
}: {
  type: GroupVersionResource;
  rows: readonly ListRow[];
  chosen: ChosenObject;
}) {
  const { topic } = chosen;
  const isOpen = (row: ListRow) => row.name === topic?.name && row.namespace === (topic.namespace ?? '');
  const at = topic === undefined ? -1 : rows.findIndex(isOpen);
  const keyOf = ({ namespace, name }: ListRow) => formatTopic({ ...type, namespace: namespace || undefined, name });
  return <ObjectPanel chosen={chosen} place={placeAmong(rows, at, keyOf)} />;
}

function ListActions({
  type,
  kind,
  namespace,
}: {
  type: GroupVersionResource;
  kind: KindSummary | undefined;
  namespace: string | undefined;
}) {
  return (
    <>
      {kind !== undefined && !kind.namespaced && <Tag>cluster-scoped</Tag>}
      {kind !== undefined &&
        (kind.custom ? (
          <LinkButton href={objectHref(CRDS, '', resourceName(type))}>Definition</LinkButton>
        ) : (
          <LinkButton href={explainHref(type)}>Fields</LinkButton>
        ))}
      {kind?.verbs.includes('create') === true && <CreateLink kind={kind} type={type} namespace={namespace} />}
    </>
  );
}

/** Leads to the page that creates one. While all namespaces are shown, one may still have the right in some of them. */
function CreateLink({
  kind,
  type,
  namespace,
}: {
  kind: KindSummary;
  type: GroupVersionResource;
  namespace: string | undefined;
}) {
  const { missing } = useAccess(accessTo('create', type, namespace));
  const icon = <Plus size={16} aria-hidden="true" />;
  const isOwn = kind.operator !== undefined;
  const label = isOwn ? `New ${kind.kind}` : 'Create';
  if (missing !== undefined && namespace !== undefined) {
    return (
      <Button variant="primary" icon={icon} disabledReason={missing}>
        {label}
      </Button>
    );
  }
  return (
    <LinkButton href={isOwn ? newHref(type, namespace) : createHref(type, namespace)} variant="primary" icon={icon}>
      {label}
    </LinkButton>
  );
}

function NothingListed({
  title,
  type,
  filter,
  namespace,
  onClear,
}: {
  title: string;
  type: GroupVersionResource;
  filter: string;
  namespace: string | undefined;
  onClear: () => void;
}) {
  if (filter !== '') {
    return (
      <EmptyState title={`No ${title} matches`} action={<Button onClick={onClear}>Clear the filter</Button>}>
        No row contains “{filter}”.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={`No ${title} ${namespace === undefined ? 'yet' : `in ${namespace}`}`}
      action={<LinkButton href={createHref(type, namespace)}>Create one from YAML</LinkButton>}
      guide="forms"
    >
      {kindMeaning(type)} New objects appear here automatically.
    </EmptyState>
  );
}

function shownColumns(
  columns: readonly TableColumn[],
  { isWide, withNamespace }: { isWide: boolean; withNamespace: boolean },
): ShownColumn[] {
  const shown = columns
    .map((column, index) => ({ column, index }))
    .filter(({ column }) => isWide || column.priority === 0);
  if (!withNamespace || columns.length === 0) return shown;
  const namespace = { name: NAMESPACE_COLUMN, type: 'string', description: '', priority: 0 };
  return [...shown.slice(0, 1), { column: namespace, index: -1 }, ...shown.slice(1)];
}

function countNote(list: PrintedList, shown: number, namespace: string | undefined): string {
  const count = shown === list.rows.length ? `${list.total}` : `${shown} of ${list.total}`;
  return namespace === undefined ? count : `${count} in ${namespace}`;
}
