import type { Clock } from '@/lib/clock/clock';
import type { KubeObject } from '@/lib/kube/object';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import type { Fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import type { Instance } from '@/lib/kudo/types';
import type { Api } from '@/server/kube/api';
import type { Cache } from '@/server/kube/cache';
import type { KindIndex } from '@/server/kube/kinds';

/** What acting on own kinds needs of the controller. */
export interface OwnKindDeps {
  /** Refuses writes when this process does not lead. */
  readonly api: Api;
  readonly clock: Clock;
  readonly kinds: KindIndex;
  /** The newest known state of an Instance (`namespace/name`). */
  readonly store: { get(key: string): Instance | undefined };
  readonly watches: {
    readonly operatorVersions: Pick<Cache, 'get' | 'list'>;
    readonly workloads: { get(resource: 'deployments' | 'statefulsets'): Pick<Cache, 'list'> | undefined };
  };
  readonly planRuns: { findByKey(key: string, uid: string): PlanRun | undefined };
  readonly fingerprints: Fingerprinter;
  readonly events: {
    recordOnce(
      object: KubeObject,
      identity: string,
      event: { readonly type: 'Normal' | 'Warning'; readonly reason: string; readonly message: string },
    ): void;
  };
}

/** When a resource is looked at again, beside every change of it and of what stands behind it. */
export interface ResourceWake {
  readonly afterMs: number | undefined;
  /** `namespace/name` of an Instance with another name, whose changes count. */
  readonly instance?: string;
}

export const ON_CHANGE: ResourceWake = { afterMs: undefined };
/** A refusal may end without a change that is watched: a lock expires, a right is granted. */
export const REFUSED_MS = 60_000;
/** What was written is looked at again when its watch event is late. */
export const SOON_MS = 1_000;
