import type { Clock } from '@/lib/clock/clock';
import { messageOf } from '@/lib/errors/errors';
import type { Random } from '@/lib/random/random';
import { AccessReviews } from '@/server/auth/access-reviews';
import { Persons } from '@/server/auth/persons';
import { contextNames, loadCluster } from '@/server/kube/credentials';
import type { LiveHub } from '@/server/live/hub';
import type { Log } from '@/server/log/log';
import type { Rights } from '@/server/rights/rights';
import type { ClusterAccess } from '@/server/runtime/start-parts';
import { clusterNames } from './cluster-names';
import type { ClusterRuntime, KnownCluster } from './cluster-runtime';
import { Clusters, summaryOfCluster } from './clusters';
import { LastProbes } from './last-probes';

export interface OpenClustersOptions {
  readonly access: ClusterAccess;
  readonly hub: LiveHub;
  readonly rights: Rights;
  /** Of the home cluster, where people sign in. */
  readonly persons: Persons | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** The clusters of a console: its own, the other contexts of its kubeconfig, and those that Secrets of its own cluster hold. */
export function openClusters(options: OpenClustersOptions): Clusters {
  const { access, hub, rights, clock, random, log } = options;
  const { summary } = access;
  const title = summary.isSandbox ? 'sandbox' : summary.context;
  const [name = title] = clusterNames([title]);
  const home: ClusterRuntime = {
    ...{ name, summary, hub, rights, isHome: true, api: access.api },
    access: new AccessReviews(clock),
    openedBy: new Set(),
    probes: new LastProbes(clock),
    persons: options.persons ?? new Persons({ connections: access.connectPersons(), clock }),
    close: async () => undefined,
  };
  return new Clusters({
    ...{ home, homeTitle: title, contexts: otherContexts(options, name), clock, random, log },
    namespace: access.place.namespace,
  });
}

/** Contexts with which the kubeconfig reaches other servers; one that cannot be used is left out, and the log says why. */
function otherContexts({ access, log }: OpenClustersOptions, homeName: string): KnownCluster[] {
  const { kubeconfigPath, summary, sandbox } = access;
  if (kubeconfigPath === undefined || sandbox !== undefined) return [];
  const titles = contextNames({ kubeconfigPath }).filter((title) => title !== summary.context);
  const names = clusterNames(titles, new Set([homeName]));
  return titles.flatMap((title, at): KnownCluster[] => {
    try {
      const cluster = loadCluster({ kubeconfigPath, context: title });
      return [
        { name: names[at] ?? title, title, source: 'kubeconfig', summary: summaryOfCluster(cluster, title), cluster },
      ];
    } catch (error) {
      log.warn('clusters.context', { context: title, problem: messageOf(error) });
      return [];
    }
  });
}
