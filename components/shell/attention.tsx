'use client';

import { useEffect, useMemo, useRef } from 'react';
import { storeMyRuns, useMyRuns } from '@/components/instance-view/my-runs';
import { browserClock } from '@/components/live/clock';
import { useRouter } from '@/components/ui/navigation';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import type { Instance } from '@/lib/kudo/types';
import { type ApprovalNeed, approvalNeedWords } from '@/lib/kudo/view/approval-needs';
import { instancePath } from '@/lib/kudo/view/instance-path';
import { followMyRuns, type NeedsMe, unseenNeeds, withSeen } from '@/lib/kudo/view/my-runs';
import { topics } from '@/lib/live/topic';
import { usePreference } from './preferences';
import { useApprovalNeeds } from './use-approval-needs';
import { useBadge } from './use-badge';
import { useIsLooking } from './use-is-looking';
import { useTopicInScope } from './use-topic-within';

/**
 * Marks the tab when runs that this browser started failed or are held, or requests for approvals need the person, and the person has not looked since;
 * and says so outside of the page when that was turned on. It follows the rows of Instances that the frame of every page has anyway.
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
  const unseen = useMemo(() => unseenNeeds(needs), [needs]);
  useEffect(() => {
    const next = isLooking && unseen.length > 0 ? withSeen(mine, needs) : mine;
    if (next !== stored) storeMyRuns(next);
  });
  const approvals = useApprovalNeeds(isLooking);
  const told = useMemo(() => [...unseen.map(noticeOfRun), ...approvals.map(noticeOfApproval)], [unseen, approvals]);
  useBadge(isLooking ? 0 : told.length);
  useNotifications(isLooking ? NO_NOTICES : told);
  return null;
}

const NOTHING: readonly NeedsMe[] = [];

/** A notification of the browser. */
interface BrowserNotice {
  readonly tag: string;
  readonly title: string;
  readonly body: string;
  /** The page that it opens. */
  readonly path: string;
}

const NO_NOTICES: readonly BrowserNotice[] = [];
const WORDS = { failed: 'failed', paused: 'is paused' } as const;

function noticeOfRun({ run, attention, message }: NeedsMe): BrowserNotice {
  const [namespace = '', name = ''] = run.key.split('/');
  return {
    tag: `${run.uid} ${attention}`,
    title: `Plan ${run.plan} of ${name} ${WORDS[attention]}`,
    body: message,
    path: instancePath(namespace, name, 'plans'),
  };
}

function noticeOfApproval(need: ApprovalNeed): BrowserNotice {
  const { id, kind, namespace, instance, by } = need;
  const body = kind === 'waiting' ? `${by} asks to start it.` : '';
  return { tag: id, title: approvalNeedWords(need), body, path: instancePath(namespace, instance, 'plans') };
}

/** Shows each once; several tabs show the same one once, by its tag. */
function useNotifications(unseen: readonly BrowserNotice[]): void {
  const wanted = usePreference((store) => store.notify);
  const router = useRouter();
  const shown = useRef(new Set<string>());
  useEffect(() => {
    if (!wanted || !('Notification' in window) || Notification.permission !== 'granted') return;
    for (const { tag, title, body, path } of unseen) {
      if (shown.current.has(tag)) continue;
      shown.current.add(tag);
      const notification = new Notification(title, { body, tag });
      notification.onclick = () => {
        window.focus();
        router.push(path);
      };
    }
  }, [wanted, router, unseen]);
}
