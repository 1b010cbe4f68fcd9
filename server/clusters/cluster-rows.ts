import type { ClusterMatch, ClusterRows } from '@/lib/clusters/cluster-info';
import { clusterPath } from '@/lib/clusters/cluster-path';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import type { Instance } from '@/lib/kudo/types';
import { instancePath } from '@/lib/kudo/view/instance-path';
import { topics } from '@/lib/live/topic';
import { hubOf, personIn, sessionIn } from '@/server/auth/session';
import { withDeadline } from '@/server/kube/deadline';
import type { ReadFeed } from '@/server/live/read-feed';
import { runtime } from '@/server/runtime/runtime';
import type { KnownCluster } from './cluster-runtime';
import { whyUnopened } from './unopened';

const ROWS_WITHIN_MS = 10_000;
const FOUND_WITHIN_MS = 2_000;
const MOST_FOUND = 50;

/** The rows of each cluster as soon as they are there, in the order in which clusters answer. Who does not answer in ten seconds has a problem instead. */
export async function* rowsOfClusters(request: Request, signal: AbortSignal): AsyncGenerator<ClusterRows> {
  const known = await runtime().clusters.known();
  const pending = new Map(known.map((each) => [each.name, rowsOf(request, each, ROWS_WITHIN_MS, signal)]));
  while (pending.size > 0) {
    const rows = await Promise.race(pending.values());
    pending.delete(rows.cluster);
    yield rows;
  }
}

/** Instances whose name or namespace contains the text, in all clusters that answer quickly. */
export async function findInClusters(request: Request, text: string, signal: AbortSignal): Promise<ClusterMatch[]> {
  const { clusters } = runtime();
  const wanted = text.toLowerCase();
  const known = await clusters.known();
  const all = await Promise.all(known.map((each) => rowsOf(request, each, FOUND_WITHIN_MS, signal)));
  return all
    .flatMap(({ cluster, title, instances }) => instances.map((instance) => ({ cluster, title, instance })))
    .filter(({ instance }) => `${namespaceOf(instance)}/${nameOf(instance)}`.toLowerCase().includes(wanted))
    .slice(0, MOST_FOUND)
    .map(({ cluster, title, instance }) => {
      const [namespace, name] = [namespaceOf(instance), nameOf(instance)];
      const prefix = cluster === clusters.home.name ? undefined : cluster;
      return {
        cluster,
        title,
        kind: 'Instance',
        namespace,
        name,
        path: clusterPath(prefix, instancePath(namespace, name)),
      };
    });
}

async function rowsOf(
  request: Request,
  known: KnownCluster,
  withinMs: number,
  signal: AbortSignal,
): Promise<ClusterRows> {
  const own = { cluster: known.name, title: known.title };
  try {
    const instances = await withDeadline(runtime().clock, withinMs, signal, (limited) =>
      readRows(request, known, limited),
    );
    return { ...own, instances };
  } catch (error) {
    return { ...own, instances: [], problem: messageOf(error) };
  }
}

/** What the person's own stream of this cluster would begin with. @throws TerminalError with the sentence of the API server */
async function readRows(request: Request, known: KnownCluster, signal: AbortSignal): Promise<readonly Instance[]> {
  const { clock } = runtime();
  const unopened = whyUnopened(known, personIn(request, known.name));
  if (unopened !== undefined) throw new TerminalError(unopened, 'NotOpened');
  const session = await sessionIn(request, known.name);
  const { feed, release } = hubOf(session).acquire(topics.instanceRows);
  try {
    const problem = () => {
      const frame = feed.since(undefined, clock.now());
      return frame?.type === 'problem' ? frame.problem : undefined;
    };
    await whenSo(feed, () => !feed.isLoading || problem() !== undefined, signal);
    const found = problem();
    if (found !== undefined) throw new TerminalError(found.message, 'NoRows');
    return feed.snapshot(clock.now()).objects as readonly Instance[];
  } finally {
    release();
  }
}

function whenSo(feed: ReadFeed, isSo: () => boolean, signal: AbortSignal): Promise<void> {
  if (isSo()) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const stop = feed.onChange(() => {
      if (!isSo()) return;
      stop();
      resolve();
    });
    signal.addEventListener('abort', () => {
      stop();
      reject(signal.reason);
    });
  });
}
