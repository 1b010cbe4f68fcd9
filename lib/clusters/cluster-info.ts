import type { Instance } from '@/lib/kudo/types';

/** Where the console knows a cluster from: it is its own, a context of its kubeconfig, or a Secret of the home cluster. */
export type ClusterSource = 'home' | 'kubeconfig' | 'secret';

/** `slow`: it took more than a second to answer; `idle`: nobody has asked it yet. */
export type ClusterState = 'ready' | 'slow' | 'unreachable' | 'refused' | 'idle';

/** A cluster as `GET /api/clusters` lists it. It has no credentials in it. */
export interface ClusterInfo {
  /** Its name in addresses: a DNS label. */
  readonly name: string;
  /** What people call it: the name of its context, or the name that it was added with. */
  readonly title: string;
  readonly server: string;
  readonly source: ClusterSource;
  readonly state: ClusterState;
  /** One sentence with the way out; absent while it answers. */
  readonly problem?: string | undefined;
  /** As in `v1.36.2`. */
  readonly version?: string | undefined;
  readonly latencyMs?: number | undefined;
  /** How many Instances the person may see in it; absent while that is not known. */
  readonly instances?: number | undefined;
  /** True for a cluster of a Secret. */
  readonly isRemovable: boolean;
}

/** `GET /api/clusters`. */
export interface ClusterList {
  readonly clusters: readonly ClusterInfo[];
  /** Why clusters of Secrets may be missing; absent when all are known. */
  readonly problem?: string | undefined;
}

/** A cluster that is to be added: `POST /api/clusters` and `POST /api/clusters/test`. */
export interface NewCluster {
  readonly name: string;
  /** The text of the file. */
  readonly kubeconfig: string;
  /** The file's current context when absent. */
  readonly context?: string | undefined;
}

/** One thing that was tried before a cluster is saved. */
export interface ClusterCheck {
  readonly name: 'kubeconfig' | 'connection' | 'credentials' | 'instances' | 'impersonation';
  readonly ok: boolean;
  readonly message: string;
}

/** The answer of both. `info` is absent when the cluster was only tested, or a check failed and it was not saved. */
export interface ClusterTrial {
  readonly checks: readonly ClusterCheck[];
  readonly info?: ClusterInfo | undefined;
}

/** A line of `GET /api/clusters/instances`: the rows of one cluster, or why there are none. */
export interface ClusterRows {
  readonly cluster: string;
  readonly title: string;
  readonly instances: readonly Instance[];
  readonly problem?: string | undefined;
}

/** A line of `GET /api/clusters/find`. */
export interface ClusterMatch {
  readonly cluster: string;
  readonly title: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** The page, with the prefix of the cluster. */
  readonly path: string;
}
