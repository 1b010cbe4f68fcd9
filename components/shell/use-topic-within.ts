'use client';

import { useTopic } from '@/components/live/use-topic';
import type { Topic } from '@/lib/live/topic';
import type { TopicView } from '@/lib/live/view';
import { useNamespaceScope } from './preferences';

/**
 * All objects of a kind, live; none without a topic. For a person who may not list them in the whole cluster, those of one namespace. Without a
 * namespace the refusal stays.
 */
export function useTopicWithin(topic: Topic | undefined, namespace: string | undefined): TopicView {
  const whole = useTopic(topic);
  const isRefused = topic !== undefined && whole.status === 'forbidden' && namespace !== undefined;
  const part = useTopic(isRefused ? { ...topic, namespace } : undefined);
  return isRefused ? part : whole;
}

/** {@link useTopicWithin} of the namespace that lists are narrowed to. */
export function useTopicInScope(topic: Topic | undefined): TopicView {
  return useTopicWithin(topic, useNamespaceScope());
}
