import type { Aggregation } from '../aggregation/aggregation';
import type { AccessControl } from '../auth/authority';
import type { Registry } from '../registry/registry';
import type { PodConsole } from '../workloads/core/pod-console';
import type { RequestMetrics } from './request-metrics';

/** What every handler of the HTTP server can reach. */
export interface SandboxCore {
  readonly registry: Registry;
  readonly authority: AccessControl;
  /** Undefined without simulated pods. */
  readonly podConsole: () => PodConsole | undefined;
  /** The API servers behind Services. */
  readonly aggregation: Aggregation;
  readonly metrics: RequestMetrics;
  /** Called for unexpected errors; the client gets a 500. */
  readonly reportBug: (error: unknown) => void;
}
