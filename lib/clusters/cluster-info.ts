/** `slow` answers, but late; `idle` was not asked yet; `refused` answers and does not accept the person or the console. */
export type ClusterState = 'ready' | 'slow' | 'unreachable' | 'refused' | 'idle';

/** A cluster of the console, as `GET /api/clusters` lists it. */
export interface ClusterInfo {
  /** In addresses: `/c/NAME/…`. A DNS label, unique in the console. */
  readonly name: string;
  /** The context of the kubeconfig, or the name that a person gave it. */
  readonly title: string;
  /** The URL of the API server, without credentials. */
  readonly server: string;
  readonly source: 'home' | 'kubeconfig' | 'secret';
  readonly state: ClusterState;
  /** One sentence with the way out. */
  readonly problem?: string;
  readonly version?: string;
  /** How long its last answer took, in milliseconds. */
  readonly latencyMs?: number;
  readonly instances?: number;
  /** True for a cluster that was added in the page. */
  readonly isRemovable: boolean;
}

/** One part of the test of a cluster before it is saved. */
export interface ClusterCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly message: string;
}

/** What `POST /api/clusters` and `POST /api/clusters/test` are asked with. */
export interface ClusterDraft {
  /** A DNS label. */
  readonly name: string;
  /** The text of the kubeconfig (YAML). */
  readonly kubeconfig: string;
  /** The context to use; the current one of the kubeconfig when absent. */
  readonly context?: string;
}
