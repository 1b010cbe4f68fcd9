'use client';

import { useMemo } from 'react';
import { useInstanceView } from '@/components/instance-view/instance-context';
import { useOwnedObjects } from '@/components/instance-view/use-owned-objects';
import { useTopic } from '@/components/live/use-topic';
import { followedNames, instanceEvents } from '@/lib/kudo/view/instance-events';
import { topics } from '@/lib/live/topic';

/**
 * Events of the page's Instance and its objects, live. Objects whose names do not begin with the Instance's are followed once they
 * are known; events that were read before stay in the list meanwhile.
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
