import { systemClock } from '@/lib/clock/clock';
import { rfc3339 } from '@/lib/clock/rfc3339';
import { messageOf } from '@/lib/errors/errors';
import { stringAt } from '@/lib/json/json';
import { type GroupVersionResource, type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { systemRandom } from '@/lib/random/random';
import type { Api } from '@/server/kube/api';
import { type Cache, startCache } from '@/server/kube/cache';
import { loadCluster } from '@/server/kube/credentials';
import { type ClosableApi, createApi } from '@/server/kube/http-api';
import { createLog, type Log } from '@/server/log/log';
import type { ConfigSources } from './config-sources';
import {
  CLAIMS,
  CONFIG_MAPS,
  ENDPOINT_SLICES,
  EVENTS,
  PODS,
  SECRETS,
  SERVICE_ACCOUNTS,
  SERVICES,
  VOLUMES,
} from './resources';

/** What the agent watches of the cluster, and its client. */
export class Cluster implements ConfigSources {
  readonly log: Log = createLog('node');
  readonly api: Api;
  readonly pods: Cache;
  readonly claims: Cache;
  readonly volumes: Cache;
  readonly serviceObjects: Cache;
  readonly endpointSlices: Cache;
  readonly configMaps: Cache;
  readonly secrets: Cache;
  private readonly client: ClosableApi;

  constructor(kubeconfigPath: string) {
    const cluster = loadCluster({ kubeconfigPath });
    this.client = createApi(cluster, { clock: systemClock, userAgent: 'bravo-node' });
    this.api = this.client;
    this.pods = this.watch(PODS);
    this.claims = this.watch(CLAIMS);
    this.volumes = this.watch(VOLUMES);
    this.serviceObjects = this.watch(SERVICES);
    this.endpointSlices = this.watch(ENDPOINT_SLICES);
    this.configMaps = this.watch(CONFIG_MAPS);
    this.secrets = this.watch(SECRETS);
  }

  get caches(): readonly Cache[] {
    return [
      ...[this.pods, this.claims, this.volumes, this.serviceObjects],
      ...[this.endpointSlices, this.configMaps, this.secrets],
    ];
  }

  async synced(): Promise<void> {
    await Promise.all(this.caches.map((cache) => cache.synced));
  }

  object(kind: 'ConfigMap' | 'Secret', namespace: string, name: string): KubeObject | undefined {
    return (kind === 'Secret' ? this.secrets : this.configMaps).get(namespace, name);
  }

  services(namespace: string): readonly KubeObject[] {
    return this.serviceObjects.list(namespace);
  }

  /** A token of a pod's service account, as the kubelet asks for one. */
  async token(pod: KubeObject, audience: string): Promise<string> {
    const name = stringAt(pod, 'spec', 'serviceAccountName') ?? 'default';
    const request: KubeObject = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: {},
      spec: { audiences: audience === '' ? [] : [audience], expirationSeconds: 3600 * 24 },
    };
    const target = { ...SERVICE_ACCOUNTS, namespace: namespaceOf(pod), name };
    const answer = await this.api.create(target, request, { subresource: 'token' });
    return stringAt(answer, 'status', 'token') ?? '';
  }

  /** Writes an Event of a pod. One that cannot be written is logged. */
  event(pod: KubeObject, type: 'Normal' | 'Warning', reason: string, message: string): void {
    const time = rfc3339(Date.now());
    const { uid = '', resourceVersion = '' } = pod.metadata;
    const namespace = namespaceOf(pod);
    this.events += 1;
    const event: KubeObject = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${nameOf(pod)}.${Date.now().toString(16)}${this.events}`, namespace },
      involvedObject: { apiVersion: 'v1', kind: 'Pod', name: nameOf(pod), namespace, uid, resourceVersion },
      ...{ type, reason, message: message.slice(0, 1_000), count: 1, firstTimestamp: time, lastTimestamp: time },
      source: { component: 'kubelet' },
      reportingComponent: 'kubelet',
    };
    this.api.create({ ...EVENTS, namespace }, event).catch((error: unknown) => {
      this.log.warn('event.failed', { reason, error: messageOf(error) });
    });
  }

  private events = 0;

  async stop(): Promise<void> {
    await Promise.all(this.caches.map((cache) => cache.stop()));
    await this.client.close();
  }

  private watch(resource: GroupVersionResource): Cache {
    return startCache(this.client, resource, { clock: systemClock, random: systemRandom, log: this.log });
  }
}
