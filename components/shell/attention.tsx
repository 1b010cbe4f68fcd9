'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useMemo, useRef } from 'react';
import { storeMyRuns, useMyRuns } from '@/components/instance-view/my-runs';
import { browserClock } from '@/components/live/clock';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import type { Instance } from '@/lib/kudo/types';
import { instancePath } from '@/lib/kudo/view/instance-path';
import { followMyRuns, type NeedsMe, unseenNeeds, withSeen } from '@/lib/kudo/view/my-runs';
import { topics } from '@/lib/live/topic';
import { usePreference } from './preferences';
import { useBadge } from './use-badge';
import { useIsLooking } from './use-is-looking';
import { useTopicInScope } from './use-topic-within';

/**
 * Marks the tab when runs that this browser started failed or are held and the person has not looked since, and says so outside of
 * the page when that was turned on. It follows the rows of Instances that the frame of every page has anyway.
 */
export function Attention() {
  const stored = useMyRuns();
  const { objects } = useTopicInScope(topics.instanceRows);
  const { mine, needs } = useMemo(() => {
    if (stored.length === 0) return { mine: stored, needs: NOTHING };
    const byKey = new Map(objects.map((object) => [`${namespaceOf(object)}/${nameOf(object)}`, object as Instance]));
    return followMyRuns(stored, (key) => byKey.get(key), browserClock.now());
  }, [stored, objects]);
  const isLooking = useIsLooking();
  const unseen = unseenNeeds(needs);
  useEffect(() => {
    const next = isLooking && unseen.length > 0 ? withSeen(mine, needs) : mine;
    if (next !== stored) storeMyRuns(next);
  });
  useBadge(isLooking ? 0 : unseen.length);
  useNotifications(isLooking ? NOTHING : unseen);
  return null;
}

const NOTHING: readonly NeedsMe[] = [];

/** Shows each once; several tabs show the same one once, by its tag. */
function useNotifications(unseen: readonly NeedsMe[]): void {
  const wanted = usePreference((store) => store.notify);
  const router = useRouter();
  const shown = useRef(new Set<string>());
  useEffect(() => {
    if (!wanted || !('Notification' in window) || Notification.permission !== 'granted') return;
    for (const { run, attention, message } of unseen) {
      const tag = `${run.uid} ${attention}`;
      if (shown.current.has(tag)) continue;
      shown.current.add(tag);
      const [namespace = '', name = ''] = run.key.split('/');
      const notification = new Notification(`Plan ${run.plan} of ${name} ${WORDS[attention]}`, { body: message, tag });
      notification.onclick = () => {
        window.focus();
        router.push(instancePath(namespace, name, 'plans'));
      };
    }
  }, [wanted, router, unseen]);
}

const WORDS = { failed: 'failed', paused: 'is paused' } as const;
