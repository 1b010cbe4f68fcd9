import { INSTANCES, OPERATOR_VERSIONS } from '@/lib/kudo/crds/crds';
import { operatorVersionKey } from '@/lib/kudo/names';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import type { PlannedPhase } from '@/lib/kudo/runs/steering';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import type { Api } from '@/server/kube/api';

/**
 * The phases of a run that is not over, with the status of each step; undefined when nobody knows them. The Instance tells of each step, a
 * PlanRun of some, and before the first step begins only the OperatorVersion tells which there are.
 *
 * @throws whatever the API says
 */
export async function readPhases(api: Api, run: PlanRun): Promise<readonly PlannedPhase[] | undefined> {
  const { instanceName = '', plan = '', uid } = run.spec ?? {};
  const { namespace = '' } = run.metadata;
  const instance = (await api.get({ ...INSTANCES, namespace, name: instanceName })) as Instance | undefined;
  const status = instance?.status?.planStatus?.[plan];
  if (status?.uid === uid && (status?.phases ?? []).length > 0) return status?.phases ?? undefined;
  const recorded = run.status?.phases ?? [];
  if (recorded.length > 0 || instance === undefined) return recorded.length > 0 ? recorded : undefined;
  const target = { ...OPERATOR_VERSIONS, ...operatorVersionKey(instance) };
  const version = (await api.get(target)) as OperatorVersion | undefined;
  return version?.spec?.plans?.[plan]?.phases ?? undefined;
}
