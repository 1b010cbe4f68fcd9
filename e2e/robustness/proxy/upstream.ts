/** The API server behind the proxy. */
export interface Upstream {
  readonly url: string;
  readonly caPem: string;
}
