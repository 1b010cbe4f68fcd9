import { useMemo } from 'react';
import { useTopic } from '@/components/live/use-topic';
import type { RecordedRun } from '@/lib/kudo/plan/run-history';
import { missingHistory } from '@/lib/kudo/runs/missing-history';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import { runsThatEnded } from '@/lib/kudo/runs/recorded-runs';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { topics } from '@/lib/live/topic';

type Named = Pick<InstanceRow, 'instance' | 'namespace' | 'name'>;

/** The runs of an Instance that have ended, oldest first, from the PlanRuns that its pages watch. */
export function useRunHistory({ instance, namespace, name }: Named): readonly RecordedRun[] {
  const { objects } = useTopic(topics.planRunRowsOf(namespace, name));
  return useMemo(() => runsThatEnded(instance, objects as readonly PlanRun[]), [instance, objects]);
}

/** Why only the last run of each plan is known; undefined when all runs that the cluster keeps are. */
export function useMissingHistory({ namespace, name }: Pick<Named, 'namespace' | 'name'>): string | undefined {
  const { status, message } = useTopic(topics.planRunRowsOf(namespace, name));
  return status === 'loading' || status === 'ready' ? undefined : missingHistory(status, namespace, message);
}
