import type { KubeObject } from '@/lib/kube/object';

/** An object changed in the store. */
export interface StoreChange {
  readonly fact: 'change';
  readonly atMs: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** `group/resource`; the core group is empty. */
  readonly resource: string;
  /** The last state of a DELETED one, with the revision of the deletion. */
  readonly object: KubeObject;
  readonly before: KubeObject | undefined;
}

/** A controller's request reached the server and was answered. */
export interface ObservedCall {
  readonly fact: 'call';
  readonly atMs: number;
  /** The process, which is also its identity in the lease. */
  readonly by: string;
  /** Who held the lease when the request arrived. */
  readonly holder: string | undefined;
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly body: string | undefined;
  readonly status: number;
}

/** A controller sent so many requests at one virtual time that it will not stop by itself. */
export interface Rush {
  readonly fact: 'rush';
  readonly atMs: number;
  readonly by: string;
  readonly calls: number;
  /** The last of them. */
  readonly path: string;
}

/** The observer checks an Instance, after each step of the simulation. */
export interface InstanceCheck {
  readonly fact: 'check';
  readonly atMs: number;
  /** `namespace/name`. */
  readonly instance: string;
  /** A plan is in progress or requested. */
  readonly isBusy: boolean;
  /** When a controller that leads and runs reconciles it next, in ms from now; undefined when none will. */
  readonly nextReconcileMs: number | undefined;
  /** For how long no process has started, died, been suspended or been resumed. */
  readonly undisturbedMs: number;
}

/** What the server sent on a watch, before any fault of the network. */
export interface Delivery {
  readonly fact: 'delivery';
  /** Different for every watch request. */
  readonly watch: number;
  readonly resource: string;
  /** `name=value`, or empty. */
  readonly labelSelector: string;
  /** The revision that the client named. */
  readonly from: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly revision: number;
}

/** A copy of the cluster's state, some time after the last change. */
export interface Copy {
  readonly fact: 'copy';
  /** Whose: a controller's cache, the console's store. */
  readonly of: string;
  /** resourceVersion by `resource namespace/name`. */
  readonly held: ReadonlyMap<string, string>;
  readonly truth: ReadonlyMap<string, string>;
}

/** An Instance is idle after everything that users asked for. */
export interface Rest {
  readonly fact: 'rest';
  readonly instance: KubeObject;
}

/** An object that the last plans of an Instance with self-heal applied, some time after the last fault. */
export interface Kept {
  readonly fact: 'kept';
  /** `namespace/name`. */
  readonly instance: string;
  /** Kind and name of the object. */
  readonly name: string;
  readonly live: KubeObject | undefined;
  /** It held a file of a pod, a user deleted it before the plan ended, and the inventory says that its content is unknown. */
  readonly isLost: boolean;
}

/** A user takes a run off the queue of an Instance. */
export interface TakenOff {
  readonly fact: 'taken-off';
  readonly instanceUid: string;
  readonly plan: string;
  /** Of the run. */
  readonly uid: string;
}

/** What happens in a run, in order. */
export type Fact = StoreChange | ObservedCall | Rush | InstanceCheck | Delivery | Copy | Rest | Kept | TakenOff;

/** Takes the facts of one run, one by one. */
export type Check = (fact: Fact) => void;

/** Makes the check of one run; it calls `report` with a sentence for each violation. */
export type Invariant = (report: (violation: string) => void) => Check;
