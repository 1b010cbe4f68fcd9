import type { ClusterInfo, ClusterList } from '@/lib/clusters/cluster-info';
import { sessionIn } from '@/server/auth/session';
import { runtime } from '@/server/runtime/runtime';
import type { KnownCluster } from './cluster-runtime';
import type { ProbedCluster } from './probe-cluster';
import { whyUnopened } from './unopened';

/** All clusters, as they answer this person now. Each is asked at the same time and has three seconds, so that none waits for another. */
export async function listClusters(request: Request): Promise<ClusterList> {
  const { clusters } = runtime();
  const known = await clusters.known();
  const infos = await Promise.all(known.map((each) => infoOf(request, each)));
  const broken = clusters.broken().map(
    ({ name, problem }): ClusterInfo => ({
      ...{ name, title: name, server: '', source: 'secret', state: 'unreachable', problem, isRemovable: true },
    }),
  );
  return { clusters: [...infos, ...broken], problem: clusters.secretsProblem };
}

/** A cluster as it answers this person now. */
export async function infoOf(request: Request, known: KnownCluster): Promise<ClusterInfo> {
  const { name, title, source, summary } = known;
  const session = sessionIn(request, name);
  const { api, identity, cluster } = session;
  const unopened = whyUnopened(known, session);
  const probed: ProbedCluster =
    unopened === undefined ? await cluster.probes.ask(identity, api) : { state: 'idle', problem: unopened };
  return { name, title, server: summary.server, source, isRemovable: source === 'secret', ...probed };
}
