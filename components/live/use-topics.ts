'use client';

import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { formatTopic, parseTopic, type Topic } from '@/lib/live/topic';
import type { TopicView } from '@/lib/live/view';
import { useLive } from './live-provider';

/** The views of several topics in their order, live; the same array until something changes. For pages whose number of topics changes. */
export function useTopics(topics: readonly Topic[]): readonly TopicView[] {
  const { store } = useLive();
  const keys = topics.map(formatTopic).join(' ');
  const last = useRef<readonly TopicView[]>([]);
  useEffect(() => {
    const wanted = keysIn(keys).flatMap((key) => parseTopic(key) ?? []);
    const stops = wanted.map((topic) => store.want(topic));
    return () => {
      for (const stop of stops) stop();
    };
  }, [store, keys]);
  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = keysIn(keys).map((key) => store.onTopic(key, listener));
      return () => {
        for (const stop of stops) stop();
      };
    },
    [store, keys],
  );
  const read = (viewOf: (key: string) => TopicView) => {
    const views = keysIn(keys).map(viewOf);
    const isSame = views.length === last.current.length && views.every((view, at) => view === last.current[at]);
    if (!isSame) last.current = views;
    return last.current;
  };
  return useSyncExternalStore(
    subscribe,
    () => read((key) => store.view(key)),
    () => read((key) => store.seededView(key)),
  );
}

function keysIn(keys: string): string[] {
  return keys === '' ? [] : keys.split(' ');
}
