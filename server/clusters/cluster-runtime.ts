import type { Clock } from '@/lib/clock/clock';
import type { ClusterSource } from '@/lib/clusters/cluster-info';
import type { Random } from '@/lib/random/random';
import { AccessReviews } from '@/server/auth/access-reviews';
import { Persons } from '@/server/auth/persons';
import type { Api } from '@/server/kube/api';
import type { Cluster } from '@/server/kube/credentials';
import { createApi } from '@/server/kube/http-api';
import { connectPersons } from '@/server/kube/person-api';
import { connectTransport } from '@/server/kube/transport';
import type { LiveHub } from '@/server/live/hub';
import type { Log } from '@/server/log/log';
import type { Rights } from '@/server/rights/rights';
import { openHub } from '@/server/runtime/open-hub';
import { openRights } from '@/server/runtime/open-rights';
import type { ClusterSummary } from '@/server/runtime/runtime';
import { LastProbes } from './last-probes';

/** A cluster that the console may be asked for. Nothing is connected yet. */
export interface KnownCluster {
  /** In addresses: a DNS label. */
  readonly name: string;
  readonly title: string;
  readonly source: ClusterSource;
  readonly summary: ClusterSummary;
  /** Absent for the home cluster, which is always open. */
  readonly cluster?: Cluster;
}

/** What the console keeps of one cluster while people work with it: its own connections, watches and answers about rights. */
export interface ClusterRuntime {
  readonly name: string;
  readonly isHome: boolean;
  readonly summary: ClusterSummary;
  /** With the authority of the console's own account in that cluster. */
  readonly api: Api;
  readonly hub: LiveHub;
  readonly rights: Rights;
  readonly access: AccessReviews;
  /** People who sign in, each with their own Api. */
  readonly persons: Persons;
  /** Identities of those who have opened it by its address. */
  readonly openedBy: Set<string>;
  /** How it answered people last. */
  readonly probes: LastProbes;
  close(): Promise<void>;
}

export interface OpenClusterOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** Opens a cluster. No request is sent until somebody reads from it, so that one that does not answer costs nothing. */
export function openCluster(
  known: KnownCluster & { readonly cluster: Cluster },
  options: OpenClusterOptions,
): ClusterRuntime {
  const { cluster, name, summary } = known;
  const { clock } = options;
  const api = createApi(cluster, { clock, transport: connectTransport(cluster) });
  const hub = openHub({ ...options, api });
  const rights = openRights({ ...options, api, hub });
  const connections = connectPersons(cluster, clock);
  const persons = new Persons({ connections, clock });
  return {
    ...{ name, summary, api, hub, rights, persons },
    isHome: false,
    access: new AccessReviews(clock),
    openedBy: new Set(),
    probes: new LastProbes(clock),
    async close() {
      rights.close();
      hub.close();
      persons.close();
      await Promise.all([connections.close(), api.close()]);
    },
  };
}
