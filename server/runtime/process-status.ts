import type { AuditLog } from '@/server/audit/audit-log';
import { leaseNamespaceOf } from '@/server/controller/lease-namespace';
import type { Api } from '@/server/kube/api';
import type { LiveHub } from '@/server/live/hub';
import { recentProblems } from '@/server/log/recent-problems';
import { controllerFigures } from '@/server/status/controller-figures';
import type { ProcessStatus } from '@/server/status/server-status';
import type { ControllerPart } from './controller-part';
import type { ClusterSummary } from './runtime';
import type { TlsPair } from './tls-pair';

export interface ProcessStatusOptions {
  readonly version: string;
  readonly access: { readonly summary: ClusterSummary; readonly api: Pick<Api, 'get'> };
  readonly hub: Pick<LiveHub, 'topics'>;
  readonly audit: Pick<AuditLog, 'state'>;
  /** Undefined for a console that serves HTTP. */
  readonly tls: Pick<TlsPair, 'status'> | undefined;
  readonly controller: Pick<ControllerPart, 'state' | 'webhookWords' | 'leaseProblem' | 'figures'>;
}

/** What this process says of itself; what its controller says is missing when that does not answer. */
export async function processStatus({
  version,
  access,
  hub,
  audit,
  controller,
  tls,
}: ProcessStatusOptions): Promise<ProcessStatus> {
  const { summary: cluster, api } = access;
  const figures = await controller.figures();
  const problems = [...recentProblems(), ...(figures?.problems ?? [])].sort((a, b) => b.atMs - a.atMs);
  return {
    console: {
      version,
      node: process.versions.node,
      uptimeMs: process.uptime() * 1_000,
      memoryBytes: process.memoryUsage().rss,
      topics: hub.topics(),
      audit: audit.state,
      certificate: tls?.status,
    },
    cluster: {
      ...{ name: cluster.name, context: cluster.context, server: cluster.server, isSandbox: cluster.isSandbox },
    },
    controller: {
      state: controller.state,
      webhook: controller.webhookWords,
      leaseProblem: controller.leaseProblem,
      figures: figures === undefined ? undefined : controllerFigures(figures.values),
    },
    problems,
    leaseNamespace: (signal) => leaseNamespaceOf({ get: (target) => api.get(target, { signal }) }),
  };
}
