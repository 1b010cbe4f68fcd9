import type { Clock } from '@/lib/clock/clock';
import type { ClusterCheck, NewCluster } from '@/lib/clusters/cluster-info';
import { CLUSTER_NAME } from '@/lib/clusters/cluster-path';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import { stringAt } from '@/lib/json/json';
import { askAccess } from '@/server/auth/access-reviews';
import { Refusal } from '@/server/http/problem';
import type { Api } from '@/server/kube/api';
import { type Cluster, clusterOfConfig } from '@/server/kube/credentials';
import { withDeadline } from '@/server/kube/deadline';
import { createApi } from '@/server/kube/http-api';
import { connectTransport } from '@/server/kube/transport';
import { type AddedKubeconfig, readAddedKubeconfig } from './added-kubeconfig';
import { probeCluster } from './probe-cluster';

export interface TrialOptions {
  /** True when people sign in: then these credentials must be allowed to impersonate them. */
  readonly impersonates: boolean;
  readonly clock: Clock;
}

/** What was tried, and what would be saved when all of it went well. */
export interface Trial {
  readonly checks: readonly ClusterCheck[];
  readonly kubeconfig: AddedKubeconfig | undefined;
}

const WITHIN_MS = 5_000;
const REVIEWS = { group: 'authentication.k8s.io', version: 'v1', resource: 'selfsubjectreviews' };

/** What a route got. @throws Refusal 400 or 422 that names the field */
export function readNewCluster(body: unknown): NewCluster {
  const [name, kubeconfig, context] = ['name', 'kubeconfig', 'context'].map((field) => stringAt(body, field));
  if (name === undefined || !CLUSTER_NAME.test(name)) {
    const message = 'The name of a cluster has 1 to 63 of a-z, 0-9 and -, and begins and ends with a letter or digit.';
    throw new Refusal(422, 'Invalid', message, [{ field: 'name', message }]);
  }
  if (kubeconfig === undefined || kubeconfig.trim() === '') {
    const message = 'Paste a kubeconfig.';
    throw new Refusal(422, 'Invalid', message, [{ field: 'kubeconfig', message }]);
  }
  return { name, kubeconfig, ...(context === undefined || context === '' ? {} : { context }) };
}

/** Tries the kubeconfig: whether it can be used, the server answers, takes the credentials and serves KUDO's kinds. Nothing is saved. */
export async function tryCluster({ kubeconfig, context }: NewCluster, options: TrialOptions): Promise<Trial> {
  let added: AddedKubeconfig;
  let cluster: Cluster;
  try {
    added = readAddedKubeconfig(kubeconfig, context);
    cluster = clusterOfConfig(added.config, 'that was pasted');
    // Certificates that are no certificates are noticed here.
    await cluster.access();
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error;
    return { checks: [{ name: 'kubeconfig', ok: false, message: error.message }], kubeconfig: undefined };
  }
  const message = `Context ${added.context}, server ${added.server}.`;
  const api = createApi(cluster, { clock: options.clock, transport: connectTransport(cluster) });
  try {
    const checks = [{ name: 'kubeconfig', ok: true, message } as const, ...(await askCluster(api, options))];
    return { checks, kubeconfig: checks.every(({ ok }) => ok) ? added : undefined };
  } finally {
    await api.close();
  }
}

async function askCluster(api: Api, { impersonates, clock }: TrialOptions): Promise<ClusterCheck[]> {
  const probed = await probeCluster(api, clock);
  const isReached = probed.state !== 'unreachable';
  const said = probed.problem ?? `Kubernetes ${probed.version} answers after ${probed.latencyMs} ms.`;
  const connection: ClusterCheck = { name: 'connection', ok: isReached, message: said };
  if (!isReached) return [connection];
  const credentials = await whoAmI(api, clock);
  if (!credentials.ok) return [connection, credentials];
  // A cluster without KUDO's kinds can be added: its page Operators installs them.
  const count =
    probed.instances === undefined
      ? 'Instances cannot be listed: KUDO is not installed, or the right is missing.'
      : `${probed.instances} Instances.`;
  const instances: ClusterCheck = { name: 'instances', ok: true, message: count };
  return [connection, credentials, instances, ...(impersonates ? [await mayImpersonate(api, clock)] : [])];
}

async function whoAmI(api: Api, clock: Clock): Promise<ClusterCheck> {
  try {
    const review = await withDeadline(clock, WITHIN_MS, undefined, (signal) =>
      api.create(
        REVIEWS,
        { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview', metadata: {} },
        { signal },
      ),
    );
    const name = stringAt(review, 'status', 'userInfo', 'username') ?? '';
    const ok = name !== '' && name !== 'system:anonymous';
    const message = ok
      ? `The API server knows you as ${name}.`
      : 'The API server does not know these credentials: you are anonymous.';
    return { name: 'credentials', ok, message };
  } catch (error) {
    return { name: 'credentials', ok: false, message: messageOf(error) };
  }
}

async function mayImpersonate(api: Api, clock: Clock): Promise<ClusterCheck> {
  const missing: string[] = [];
  for (const resource of ['users', 'groups']) {
    const answer = await askAccess(api, clock, { verb: 'impersonate', group: '', resource, namespace: '' }).catch(
      () => undefined,
    );
    if (answer?.allowed !== true) missing.push(resource);
  }
  const ok = missing.length === 0;
  const message = ok
    ? 'These credentials may act for the people who sign in.'
    : `These credentials may not impersonate ${missing.join(' and ')}, so nobody who signs in could use the cluster. Give them that right.`;
  return { name: 'impersonation', ok, message };
}
