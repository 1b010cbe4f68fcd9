'use client';

import dynamic from 'next/dynamic';
import { useCallback, useMemo, useState } from 'react';
import { useInstanceView } from '@/components/instance-view/instance-context';
import { AppliedByTask } from '@/components/resources/panel/applied-facts';
import { ObjectPanel } from '@/components/resources/panel/object-panel';
import { placeAmong, useChosenObject } from '@/components/resources/panel/use-chosen-object';
import { useUrlState } from '@/components/resources/use-url-state';
import { Button } from '@/components/ui/button';
import { Chip } from '@/components/ui/chip';
import { EmptyState } from '@/components/ui/empty-state';
import { loadPart } from '@/components/ui/load-part';
import { Notice } from '@/components/ui/notice';
import { SearchInput } from '@/components/ui/search-input';
import { SkeletonRows } from '@/components/ui/skeleton';
import { ViewTabs } from '@/components/ui/view-tabs';
import type { KindSummary } from '@/lib/kube/kinds';
import type { ResourceNode } from '@/lib/kudo/tree/resource-node';
import { filteredTree, type OpenState, treeRows } from '@/lib/kudo/tree/tree-rows';
import { unreadableText } from '@/lib/kudo/view/unreadable';
import { formatTopic } from '@/lib/live/topic';
import { TreeView } from './tree/tree-view';
import { type ResourceTree, useResourceTree } from './tree/use-resource-tree';

/** Loaded when a person wants it. */
const TreeGraph = dynamic(() => loadPart(() => import('./tree/graph-view')).then((module) => module.TreeGraph), {
  ssr: false,
  loading: () => <SkeletonRows />,
});

const VIEWS = [
  { key: 'tree', label: 'Tree' },
  { key: 'graph', label: 'Graph' },
];

const NOTHING_OPENED: OpenState = new Map();

/** The resources of the page's Instance as a tree, each with its health and the task that applied it; one of them in the panel. */
export function ResourcesTab({ kinds }: { kinds: readonly KindSummary[] | undefined }) {
  const { namespace, name } = useInstanceView();
  const resources = useResourceTree(kinds);
  const { tree } = resources;
  const [query, setQuery] = useUrlState('filter');
  const [onlyUnhealthy, setOnlyUnhealthy] = useUrlState('unhealthy');
  const [viewText, setView] = useUrlState('view');
  const view = viewText === 'graph' ? 'graph' : 'tree';
  const isUnhealthyOnly = onlyUnhealthy !== '';
  const shown = useMemo(() => tree && filteredTree(tree, { query, isUnhealthyOnly }), [tree, query, isUnhealthyOnly]);
  const [opened, setOpened] = useState<OpenState>(NOTHING_OPENED);
  const onOpened = useCallback((ids: readonly string[], isOpen: boolean) => {
    setOpened((before) => new Map([...before, ...ids.map((id) => [id, isOpen] as const)]));
  }, []);
  const chosen = useChosenObject();
  const { choose } = chosen;
  const onChoose = useCallback((node: ResourceNode) => choose(node.address && formatTopic(node.address)), [choose]);
  const nodes = useMemo(() => nodesByKey(shown, opened), [shown, opened]);
  const keys = [...nodes.keys()];
  const clear = () => {
    setQuery('');
    setOnlyUnhealthy('');
  };
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <SearchInput label="Find a kind or name" value={query} onChange={setQuery} />
        <Chip pressed={isUnhealthyOnly} onClick={() => setOnlyUnhealthy(isUnhealthyOnly ? '' : '1')}>
          {tree === undefined || resources.isUnread ? 'Not healthy' : `${tree.unhealthy} not healthy`}
        </Chip>
        {tree !== undefined && !resources.isUnread && <span className="text-ink-2">{countText(tree.objects)}</span>}
      </div>
      <TreeNotices resources={resources} />
      <section className="card overflow-clip">
        {tree === undefined && <SkeletonRows />}
        {tree !== undefined && shown === undefined && (
          <EmptyState title="No object matches the filter" action={<Button onClick={clear}>Clear the filter</Button>} />
        )}
        {tree?.objects === 0 && resources.unreadable.length === 0 && (
          <EmptyState title="This instance has no objects" guide="resource-tree">
            Its objects appear here when a plan applies them.
          </EmptyState>
        )}
        {shown !== undefined && tree !== undefined && tree.objects > 0 && (
          <ViewTabs
            label="Views of the resources"
            tabs={VIEWS}
            chosen={view}
            onChoose={(key) => setView(key === 'graph' ? key : '')}
          >
            {view === 'graph' ? (
              <TreeGraph tree={shown} chosen={chosen.key} onChoose={onChoose} />
            ) : (
              <TreeView
                tree={shown}
                opened={opened}
                onOpened={onOpened}
                chosen={chosen.key === undefined ? undefined : nodes.get(chosen.key)?.id}
                onChoose={onChoose}
              />
            )}
          </ViewTabs>
        )}
      </section>
      <ObjectPanel
        chosen={chosen}
        place={placeAmong(keys, keys.indexOf(chosen.key ?? ''), (key) => key)}
        factsOf={(key) => {
          const node = nodes.get(key);
          // The Instance itself, and what is not in the tree (any more).
          if (node === undefined || node.sort === 'instance') return undefined;
          return <AppliedByTask place={{ namespace, name }} by={node.by} drift={node.drift} />;
        }}
      />
    </>
  );
}

/** The objects of the visible lines in their order. */
function nodesByKey(tree: ResourceNode | undefined, opened: OpenState): ReadonlyMap<string, ResourceNode> {
  const rows = tree === undefined ? [] : treeRows(tree, opened);
  return new Map(rows.flatMap(({ node }) => (node.address === undefined ? [] : [[formatTopic(node.address), node]])));
}

function TreeNotices({ resources: { unreadable, isUnread, failed, leftOut } }: { resources: ResourceTree }) {
  const { namespace } = useInstanceView();
  const missing = unreadableText(unreadable, namespace);
  return (
    <>
      {missing !== '' && (
        <Notice
          tone="wait"
          title={isUnread ? 'The objects of this instance cannot be read' : 'Some objects cannot be read'}
          className="mb-3"
        >
          {missing} A cluster administrator can grant it, for example with the ClusterRole <code>view</code>.
        </Notice>
      )}
      {failed.length > 0 && (
        <Notice tone="fail" title="Some objects cannot be read now" className="mb-3">
          The API server does not list {failed.join(', ')}. Bravo retries automatically.
        </Notice>
      )}
      {leftOut.length > 0 && (
        <Notice tone="idle" title="The tree does not follow every kind" className="mb-3">
          Not in it: {leftOut.join(', ')}. The lists below Resources show them.
        </Notice>
      )}
    </>
  );
}

function countText(count: number): string {
  return count === 1 ? '1 object' : `${count} objects`;
}
