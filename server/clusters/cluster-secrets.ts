import type { Clock } from '@/lib/clock/clock';
import { CLUSTER_NAME } from '@/lib/clusters/cluster-path';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import { isJsonObject, type JsonObject, stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import type { Api } from '@/server/kube/api';
import { type Cluster, clusterOfConfig } from '@/server/kube/credentials';
import { withDeadline } from '@/server/kube/deadline';
import { readAddedKubeconfig } from './added-kubeconfig';

/** Of a Secret that holds the kubeconfig of a cluster, with the cluster's name as its value. */
export const CLUSTER_LABEL = 'bravo.kudo.dev/cluster';
const KEY = 'kubeconfig';
const SECRETS = { group: '', version: 'v1', resource: 'secrets' };
const LIST_WITHIN_MS = 5_000;
/** More clusters than one console is made for. */
const MOST = 100;

/** A cluster of a Secret. */
export interface SecretCluster {
  readonly name: string;
  readonly secretName: string;
  /** Changes with the Secret: then the cluster is opened anew. */
  readonly version: string;
  /** What is wrong with the Secret, in one sentence; then there is no cluster. */
  readonly problem?: string;
  readonly cluster?: Cluster;
}

/** Reads the Secrets with the console's own account. @throws the errors of Api.list */
export async function readClusterSecrets(api: Api, namespace: string, clock: Clock): Promise<SecretCluster[]> {
  const { items } = await withDeadline(clock, LIST_WITHIN_MS, undefined, (signal) =>
    api.list({ ...SECRETS, namespace }, { labelSelector: CLUSTER_LABEL, signal }),
  );
  return items.slice(0, MOST).map(clusterOfSecret);
}

function clusterOfSecret(secret: KubeObject): SecretCluster {
  const { labels = {}, uid = '', resourceVersion = '' } = secret.metadata;
  const own = { name: labels[CLUSTER_LABEL] ?? '', secretName: nameOf(secret), version: `${uid}/${resourceVersion}` };
  try {
    if (!CLUSTER_NAME.test(own.name))
      throw new TerminalError(`its label ${CLUSTER_LABEL} is no DNS label`, 'InvalidName');
    const data = isJsonObject(secret.data) ? stringAt(secret.data, KEY) : undefined;
    if (data === undefined) throw new TerminalError(`it has no key ${KEY}`, 'InvalidKubeconfig');
    // A Secret that was made by hand obeys the same rules as one of the page.
    const { config, context } = readAddedKubeconfig(Buffer.from(data, 'base64').toString('utf8'), undefined);
    return { ...own, cluster: clusterOfConfig(config, context) };
  } catch (error) {
    return { ...own, problem: `The Secret ${secret.metadata.name} cannot be used: ${messageOf(error)}` };
  }
}

/** Saves a cluster with the authority of `api`. @throws the errors of Api.create */
export async function createClusterSecret(
  api: Api,
  place: { readonly namespace: string; readonly name: string },
  config: JsonObject,
): Promise<void> {
  const { namespace, name } = place;
  await api.create(
    { ...SECRETS, namespace },
    {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'Opaque',
      metadata: { name: secretName(name), namespace, labels: { [CLUSTER_LABEL]: name } },
      data: { [KEY]: Buffer.from(JSON.stringify(config)).toString('base64') },
    },
  );
}

/** Removes it with the authority of `api`; the cluster itself is not touched. @throws the errors of Api.delete */
export async function deleteClusterSecret(api: Api, namespace: string, name: string): Promise<void> {
  await api.delete({ ...SECRETS, namespace, name });
}

const secretName = (name: string) => `bravo-cluster-${name}`;
