'use client';

import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { KubeObject } from '@/lib/kube/object';
import { liveKey } from '@/lib/live/frames';
import { formatTopic, parseTopic, type Topic } from '@/lib/live/topic';
import { LOADING_VIEW, type TopicView } from '@/lib/live/view';
import { useLive } from './live-provider';

/**
 * All objects of a topic, live. Without a topic, and until the first list was read, the status is `loading`.
 * `objects` keeps its identity until something changes.
 */
export function useTopic(topic: Topic | undefined): TopicView {
  const { store } = useLive();
  const key = topic === undefined ? undefined : formatTopic(topic);
  useEffect(() => {
    const wanted = key === undefined ? undefined : parseTopic(key);
    return wanted === undefined ? undefined : store.want(wanted);
  }, [store, key]);
  const subscribe = useCallback(
    (listener: () => void) => (key === undefined ? () => {} : store.onTopic(key, listener)),
    [store, key],
  );
  return useSyncExternalStore(
    subscribe,
    () => (key === undefined ? LOADING_VIEW : store.view(key)),
    () => (key === undefined ? LOADING_VIEW : store.seededView(key)),
  );
}

/** One object of a topic. */
export interface ObjectView {
  readonly status: TopicView['status'];
  readonly object?: KubeObject;
  /** True when the list was read and does not contain the object. */
  readonly deleted: boolean;
  /** How it ended, where the API said so: what was seen last may be a moment older. */
  readonly last?: KubeObject;
  readonly message?: string;
  readonly staleSinceMs?: number;
}

/** One object, live. `namespace` is the empty string for cluster-scoped objects. */
export function useObject(topic: Topic | undefined, namespace: string, name: string): ObjectView {
  const view = useTopic(topic === undefined ? undefined : { ...topic, namespace: namespace || undefined, name });
  return useMemo(() => {
    const key = liveKey({ metadata: { namespace, name } });
    const object = view.objects.find((candidate) => liveKey(candidate) === key);
    const { status, last, message, staleSinceMs } = view;
    return {
      status,
      deleted: status === 'ready' && object === undefined,
      ...(object === undefined ? {} : { object }),
      ...(object !== undefined || last === undefined ? {} : { last }),
      ...(message === undefined ? {} : { message }),
      ...(staleSinceMs === undefined ? {} : { staleSinceMs }),
    };
  }, [view, namespace, name]);
}
