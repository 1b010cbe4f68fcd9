import { useMemo, useRef } from 'react';
import { useTopic } from '@/components/live/use-topic';
import { useNamespaceScope } from '@/components/shell/preferences';
import { useTopicInScope } from '@/components/shell/use-topic-within';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import { type RunRow, runRows } from '@/lib/kudo/view/run-row';
import { topics } from '@/lib/live/topic';
import type { TopicView } from '@/lib/live/view';

export interface RunList {
  readonly rows: readonly RunRow[];
  readonly view: TopicView;
  /** How many there are in the scope; undefined while only the newest are loaded. */
  readonly total: number | undefined;
}

/** All runs of the chosen scope, live, the newest first. A row keeps its identity until its run changes. */
export function useRunRows(): RunList {
  const view = useTopicInScope(topics.planRunRows);
  const scope = useNamespaceScope();
  const known = useRef(new WeakMap<PlanRun, RunRow>());
  const rows = useMemo(() => {
    const here = view.objects.filter(({ metadata }) => scope === undefined || metadata.namespace === scope);
    return runRows(here as readonly PlanRun[], known.current);
  }, [view.objects, scope]);
  const total = view.total === undefined ? rows.length : scope === undefined ? view.total : undefined;
  return { rows, view, total };
}

/** The runs of one Instance, live, the newest first; without its uid, also those of an Instance that had its name before. */
export function useInstanceRuns(namespace: string, name: string, uid?: string): readonly RunRow[] {
  const { objects } = useTopic(topics.planRunRowsOf(namespace, name));
  const known = useRef(new WeakMap<PlanRun, RunRow>());
  return useMemo(() => {
    const own = (objects as readonly PlanRun[]).filter(({ spec }) => uid === undefined || spec?.instanceUid === uid);
    return runRows(own, known.current);
  }, [objects, uid]);
}
