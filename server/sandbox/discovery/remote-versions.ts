/** A resource of an API server behind a Service (apidiscovery.k8s.io/v2 APIResourceDiscovery). */
export interface RemoteResource {
  readonly resource: string;
  readonly responseKind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly scope: 'Namespaced' | 'Cluster';
  readonly singularResource: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly object[];
}

/** One group and version that an API server behind a Service answers for. */
export interface RemoteVersion {
  readonly group: string;
  readonly version: string;
  /** What the server said last; empty when it never answered. */
  readonly resources: readonly RemoteResource[];
  /** `Stale` when the server does not answer now. */
  readonly freshness: 'Current' | 'Stale';
}

/** All of them. `generation` grows with every change. */
export interface RemoteVersions {
  readonly generation: number;
  all(): readonly RemoteVersion[];
}
