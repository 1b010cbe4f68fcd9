import { useEffect, useMemo } from 'react';
import { create } from 'zustand';
import { useRights } from '@/components/access/use-access';
import { useWhoAmI } from '@/components/access/use-who-am-i';
import { storageKey } from '@/components/live/address';
import { browserClock } from '@/components/live/clock';
import type { PlanApproval } from '@/lib/kudo/approvals/plan-approval';
import { toApprove } from '@/lib/kudo/view/action-rights';
import {
  type ApprovalNeed,
  approvalNeeds,
  namespacesWaiting,
  parseSeenNeeds,
  withSeenNeeds,
} from '@/lib/kudo/view/approval-needs';
import { topics } from '@/lib/live/topic';
import { useTopicInScope } from './use-topic-within';

const STORAGE_KEY = storageKey('bravo-seen-approvals');
/** About no more namespaces is asked whether the person may approve. */
const MOST_NAMESPACES = 20;

/** What the person has seen in this browser; all of its tabs share it. */
const useSeen = create<{ readonly seen: readonly string[] }>()(() => ({ seen: [] }));

/** Requests for approvals that need the person and were not seen yet; when the person looks they are seen. */
export function useApprovalNeeds(isLooking: boolean): readonly ApprovalNeed[] {
  const approvals = useTopicInScope(topics.planApprovals).objects as readonly PlanApproval[];
  const namespaces = useMemo(() => namespacesWaiting(approvals).slice(0, MOST_NAMESPACES), [approvals]);
  const user = useWhoAmI(approvals.length > 0);
  const allowed = useRights(namespaces.map(toApprove));
  const approvesIn = namespaces.filter((_namespace, index) => allowed[index] === true).join(' ');
  const seen = useSeenNeeds();
  const needs = useMemo(
    () => approvalNeeds(approvals, { user, approvesIn: new Set(approvesIn.split(' ')) }, browserClock.now()),
    [approvals, user, approvesIn],
  );
  useEffect(() => {
    if (isLooking) storeSeen(withSeenNeeds(seen, needs));
  }, [isLooking, seen, needs]);
  return useMemo(() => needs.filter(({ id }) => !seen.includes(id)), [needs, seen]);
}

function useSeenNeeds(): readonly string[] {
  useEffect(() => {
    const load = () => useSeen.setState({ seen: stored() });
    const onStorage = ({ key }: StorageEvent) => (key === STORAGE_KEY ? load() : undefined);
    load();
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }, []);
  return useSeen(({ seen }) => seen);
}

function storeSeen(seen: readonly string[]): void {
  if (seen === useSeen.getState().seen) return;
  useSeen.setState({ seen });
  try {
    window.localStorage.setItem(STORAGE_KEY, JSON.stringify(seen));
  } catch {
    // A browser without storage remembers it until the tab is closed.
  }
}

function stored(): readonly string[] {
  try {
    return parseSeenNeeds(window.localStorage.getItem(STORAGE_KEY));
  } catch {
    return useSeen.getState().seen;
  }
}
