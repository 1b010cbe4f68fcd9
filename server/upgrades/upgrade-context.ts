import type { Clock } from '@/lib/clock/clock';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import type { Api } from '@/server/kube/api';
import type { UpgradeRepository } from './open-repository';

/** What an upgrade is planned with. */
export interface PlanContext {
  readonly api: Api;
  readonly source: UpgradeRepository;
  readonly clock: Pick<Clock, 'now'>;
}

/** An Instance that moves to another version. */
export interface PlannedMove {
  readonly instance: Instance;
  readonly current: OperatorVersion;
  readonly target: OperatorVersion;
  /** Values that go with it; null takes the Instance's own value away. */
  readonly parameters: { readonly [name: string]: string | null };
  /** The plan of the last step; undefined when it starts none. */
  readonly plan: string | undefined;
}
