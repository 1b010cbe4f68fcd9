'use client';

import { useMemo } from 'react';
import { useInstanceView } from '@/components/instance-view/instance-context';
import { useOwnedObjects } from '@/components/instance-view/use-owned-objects';
import { useTopic } from '@/components/live/use-topic';
import { followedNames, instanceEvents } from '@/lib/kudo/view/instance-events';
import { topics } from '@/lib/live/topic';

/**
 * Events about the page's Instance and what it owns, live. Owned objects of quite other names are followed once they are known; what is
 * there already stays meanwhile.
 */
export function useInstanceEvents() {
  const { namespace, name } = useInstanceView();
  const view = useTopic(topics.eventsOf(namespace, [name]));
  const owned = useOwnedObjects().data?.objects;
  const others = followedNames(name, owned ?? []).slice(1);
  const further = useTopic(others.length === 0 ? undefined : topics.eventsOf(namespace, others)).objects;
  const events = useMemo(() => {
    const names = owned && new Set(owned.map((object) => `${object.kind}/${object.name}`));
    return instanceEvents([...view.objects, ...further], name, names);
  }, [view.objects, further, name, owned]);
  return { view, events };
}
