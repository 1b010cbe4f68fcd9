import type { HealthCheck } from '@/lib/kudo/health-checks/types';
import type { Api, Target } from '@/server/kube/api';

/** A rendered check and the pod that it is about. */
export interface PodCheck {
  readonly api: Api;
  readonly check: HealthCheck;
  readonly pod: Target & { readonly namespace: string; readonly name: string };
  /** Aborted when the time of the check is over. */
  readonly signal: AbortSignal;
}
