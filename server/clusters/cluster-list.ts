import type { ClusterInfo, ClusterList } from '@/lib/clusters/cluster-info';
import { personIn, sessionIn } from '@/server/auth/session';
import { Refusal } from '@/server/http/problem';
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
  const own = { name, title, server: summary.server, source, isRemovable: source === 'secret' };
  return { ...own, ...(await probeFor(request, known)) };
}

async function probeFor(request: Request, known: KnownCluster): Promise<ProbedCluster> {
  const unopened = whyUnopened(known, personIn(request, known.name));
  if (unopened !== undefined) return { state: 'idle', problem: unopened };
  try {
    const { api, identity, cluster } = await sessionIn(request, known.name);
    return await cluster.probes.ask(identity, api);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { state: error.status === 503 ? 'unreachable' : 'refused', problem: error.message };
  }
}
