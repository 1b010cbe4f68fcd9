'use client';

import { useMemo } from 'react';
import { useNamespaceScope } from '@/components/shell/preferences';
import { useTopicInScope } from '@/components/shell/use-topic-within';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import { type RunRow, runRows } from '@/lib/kudo/view/run-row';
import { topics } from '@/lib/live/topic';
import type { TopicView } from '@/lib/live/view';

/** All runs of the chosen scope, live, the newest first. */
export function useRunRows(): { readonly rows: readonly RunRow[]; readonly view: TopicView } {
  const view = useTopicInScope(topics.planRunRows);
  const scope = useNamespaceScope();
  const rows = useMemo(() => {
    const here = view.objects.filter(({ metadata }) => scope === undefined || metadata.namespace === scope);
    return runRows(here as readonly PlanRun[]);
  }, [view.objects, scope]);
  return { rows, view };
}

/** The runs of one Instance, live, the newest first. */
export function useInstanceRuns(namespace: string, uid: string | undefined): readonly RunRow[] {
  const view = useTopicInScope(topics.planRunRows);
  return useMemo(() => {
    const own = (view.objects as readonly PlanRun[]).filter(
      ({ metadata, spec }) => metadata.namespace === namespace && spec?.instanceUid === uid,
    );
    return runRows(own);
  }, [view.objects, namespace, uid]);
}
