import { missingHistory } from '@/lib/kudo/runs/missing-history';
import { PLAN_RUNS, type PlanRun } from '@/lib/kudo/runs/plan-run';
import { codeOf } from '@/server/kube/errors';
import type { ClusterSession } from './session';

/** The PlanRuns of a namespace, or why only the Instance tells of its runs. */
export interface ReadRuns {
  readonly planRuns: readonly PlanRun[];
  /** A sentence. */
  readonly missing?: string;
}

/** @throws BravoError of the API, but for a cluster without PlanRuns and a person who may not list them */
export async function readRuns({
  api,
  namespace,
}: {
  readonly api: Pick<ClusterSession['api'], 'list'>;
  readonly namespace: string;
}): Promise<ReadRuns> {
  try {
    const { items } = await api.list({ ...PLAN_RUNS, namespace });
    return { planRuns: items as PlanRun[] };
  } catch (error) {
    const code = codeOf(error);
    if (code === 404) return { planRuns: [], missing: missingHistory('missing', namespace) };
    if (code === 403) return { planRuns: [], missing: missingHistory('forbidden', namespace) };
    throw error;
  }
}
