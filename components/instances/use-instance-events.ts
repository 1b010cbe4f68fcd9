'use client';

import { useMemo } from 'react';
import { useTopic } from '@/components/live/use-topic';
import { topics } from '@/lib/live/topic';
import { useInstanceView } from './instance-context';
import { followedNames, instanceEvents } from './instance-events';
import { useOwnedObjects } from './use-owned-objects';

/** Events about the page's Instance and what it owns, live. */
export function useInstanceEvents() {
  const { namespace, name } = useInstanceView();
  const owned = useOwnedObjects().data?.objects;
  const view = useTopic(topics.eventsOf(namespace, followedNames(name, owned ?? [])));
  const events = useMemo(() => {
    const names = owned && new Set(owned.map((object) => `${object.kind}/${object.name}`));
    return instanceEvents(view.objects, name, names);
  }, [view.objects, name, owned]);
  return { view, events };
}
