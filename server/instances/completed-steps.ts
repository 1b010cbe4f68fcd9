import { PLAN_RUNS, type PlanRun } from '@/lib/kudo/runs/plan-run';
import { statusOfRetry } from '@/lib/kudo/runs/retry';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import type { Api } from '@/server/kube/api';

/** A plan that may repeat a run. */
export interface PlannedRetry {
  /** Undefined for a plan that repeats none. */
  readonly retryOf: string | undefined;
  readonly plan: string;
  readonly operatorVersion: OperatorVersion;
  /** Neither parameters nor version change with the start. */
  readonly isSame: boolean;
  /** RFC 3339. */
  readonly now: string;
}

type IsCompleted = (place: { readonly phase: string; readonly step: string }) => boolean;

/** Which steps a repeated run leaves out, as the controller decides it; none when it begins from the start. */
export async function completedSteps(
  api: Pick<Api, 'get'>,
  instance: Instance,
  { retryOf, plan, operatorVersion, isSame, now }: PlannedRetry,
): Promise<IsCompleted> {
  const known = instance.status?.planStatus?.[plan];
  if (retryOf === undefined || known === undefined || !isSame) return () => false;
  const { namespace } = instance.metadata;
  const run = (await api.get({ ...PLAN_RUNS, namespace, name: retryOf })) as PlanRun | undefined;
  const origin = { cause: 'Retry', retryOf } as const;
  const repeated = run?.spec?.uid;
  const status = statusOfRetry({ origin, uid: 'preview', repeated, known, plan, operatorVersion, now });
  return ({ phase, step }) => {
    const steps = status?.phases?.find(({ name }) => name === phase)?.steps;
    return steps?.find(({ name }) => name === step)?.status === 'COMPLETE';
  };
}
