'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useInstanceView } from '@/components/instance-view/instance-context';
import { request } from '@/components/live/request';
import { useTopics } from '@/components/live/use-topics';
import { useKinds } from '@/components/resources/use-kinds';
import { isBuiltIn } from '@/lib/kube/health/health';
import { type KindSummary, resourceName } from '@/lib/kube/kinds';
import { controllerOf } from '@/lib/kube/object';
import { ownersOfKind } from '@/lib/kube/owners';
import { inventoryOf } from '@/lib/kudo/inventory/inventory';
import { PLAN_ANNOTATION } from '@/lib/kudo/names';
import { buildTree } from '@/lib/kudo/tree/build-tree';
import type { ResourceNode } from '@/lib/kudo/tree/resource-node';
import { type TreeKind, treeKinds } from '@/lib/kudo/tree/tree-kinds';
import { instanceApiPath } from '@/lib/kudo/view/instance-path';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { limits } from '@/lib/limits/limits';
import type { TopicView } from '@/lib/live/view';

export interface ResourceTree {
  /** Undefined until each kind was answered for. */
  readonly tree: ResourceNode | undefined;
  /** Kinds that the person may not list, as kubectl names them. */
  readonly unreadable: readonly string[];
  /** True when no object can be read: what the tree names is what the inventory names. */
  readonly isUnread: boolean;
  /** Kinds that are not followed, because there are too many. */
  readonly leftOut: readonly string[];
  /** Kinds whose list failed, with the reason. */
  readonly failed: readonly string[];
}

/** The tree of the page's Instance, live. @param initial the kinds that the server rendered the page with */
export function useResourceTree(initial: readonly KindSummary[] | undefined): ResourceTree {
  const { row, drift } = useInstanceView();
  const served = useKinds(initial);
  const inventory = useMemo(() => (row === undefined ? undefined : inventoryOf(row.instance)), [row]);
  const [owners, setOwners] = useState('');
  const custom = useCustomKinds(row, owners);
  const kinds = useMemo(
    () =>
      row === undefined || served === undefined
        ? NO_KINDS
        : treeKinds(row, inventory, { served, custom: custom.found }),
    [row, inventory, served, custom.found],
  );
  const { followed } = kinds;
  const topics = useMemo(() => followed.map(({ topic }) => topic), [followed]);
  const views = useTopics(topics);
  const customUids = useMemo(() => uidsOfCustom(followed, views), [followed, views]);
  useEffect(() => setOwners(customUids), [customUids]);
  const { refresh, report } = drift;
  const applied = useMemo(() => appliedVersions(views), [views]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of an applied object is the reason to look for drift again, not an input
  useEffect(refresh, [refresh, applied]);
  const drifted = useMemo(() => new Map((report?.drifted ?? []).map((object) => [object.key, object])), [report]);
  const isAnswered =
    views.length > 0 && views.length === followed.length && views.every(({ status }) => status !== 'loading');
  const input = useDeferredValue(
    useMemo(() => {
      if (row === undefined || !isAnswered) return undefined;
      const withViews = followed.flatMap((each, at) => {
        const view = views[at];
        return view === undefined ? [] : [{ ...each, view }];
      });
      return {
        instance: row.instance,
        state: row.state,
        version: row.operatorVersionObject,
        ...{ inventory, kinds: withViews, drifted },
      };
    }, [row, isAnswered, followed, views, inventory, drifted]),
  );
  const tree = useMemo(() => (input === undefined ? undefined : buildTree(input)), [input]);
  const unreadable = namesWith(followed, views, 'forbidden');
  const failed = namesWith(followed, views, 'failed');
  const leftOut = custom.leftOut === 0 ? kinds.leftOut : [...kinds.leftOut, `${custom.leftOut} more custom kinds`];
  const isUnread = unreadable.length > 0 && views.every(({ objects }) => objects.length === 0);
  return { tree, unreadable, isUnread, leftOut, failed };
}

const NO_KINDS = { followed: [], leftOut: [] } as const;

function namesWith(followed: readonly TreeKind[], views: readonly TopicView[], status: TopicView['status']): string[] {
  return [...new Set(followed.filter((_, at) => views[at]?.status === status).map(({ kind }) => resourceName(kind)))];
}

/** The versions of what plans applied: the pods of a controller may change every second, and cannot drift. */
function appliedVersions(views: readonly TopicView[]): string {
  return views
    .flatMap(({ objects }) => objects.filter(({ metadata }) => metadata.annotations?.[PLAN_ANNOTATION] !== undefined))
    .filter((object) => controllerOf(object) === undefined || ownersOfKind(object, 'kudo.dev', 'Instance').length > 0)
    .map(({ metadata }) => `${metadata.uid}@${metadata.resourceVersion}`)
    .join();
}

interface CustomKindsFound {
  readonly found: readonly KindSummary[];
  readonly leftOut: number;
}

const NONE_FOUND: CustomKindsFound = { found: [], leftOut: 0 };

/**
 * The custom kinds that the tree has objects of. Asked again when a plan has ended, and when other custom objects are in the tree: both may have made
 * objects of further kinds.
 *
 * @param owners the uids of the custom objects in the tree, with commas
 */
function useCustomKinds(row: InstanceRow | undefined, owners: string): CustomKindsFound {
  const { namespace = '', name = '', instance } = row ?? {};
  const plans = Object.values(instance?.status?.planStatus ?? {});
  const ended = plans.filter(({ status }) => status === 'COMPLETE' || status === 'FATAL_ERROR').map(({ uid }) => uid);
  const query = new URLSearchParams([
    ['owner', instance?.metadata.uid ?? ''],
    ...owners.split(',').flatMap((uid) => (uid === '' ? [] : [['owner', uid]])),
  ]);
  const { data } = useQuery({
    queryKey: ['tree-kinds', namespace, name, String(query), ended.sort().join()],
    queryFn: ({ signal }) =>
      request<CustomKindsFound>(`${instanceApiPath(namespace, name, 'tree-kinds')}?${query}`, { signal }),
    placeholderData: keepPreviousData,
    enabled: instance !== undefined,
  });
  return data ?? NONE_FOUND;
}

/** The uids of custom objects, sorted, as many as one request may name. */
function uidsOfCustom(followed: readonly TreeKind[], views: readonly TopicView[]): string {
  const uids = followed.flatMap(({ kind }, at) =>
    isBuiltIn(kind.group) ? [] : (views[at]?.objects ?? []).flatMap(({ metadata }) => metadata.uid ?? []),
  );
  return uids
    .sort()
    .slice(0, limits.tree.owners - 1)
    .join();
}
