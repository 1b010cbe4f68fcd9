import { type KubeObject, nameOf } from '@/lib/kube/object';
import type { RemoteVersions } from '../discovery/remote-versions';
import type { Registry } from '../registry/registry';
import { Availability } from './availability';
import type { BackendNetwork } from './connect-backend';
import { API_SERVICES, keepLocalServices, serviceOf } from './local-services';

/** What API servers behind Services answer for. */
export interface Aggregation {
  readonly versions: RemoteVersions;
  readonly network: BackendNetwork;
  /** The APIService whose Service answers for a path; undefined where this server answers itself. */
  find(path: string): KubeObject | undefined;
  stop(): void;
}

/** Keeps the APIServices of this server, and watches those of API servers behind Services. */
export function startAggregation(
  registry: Registry,
  network: BackendNetwork,
  reportBug: (error: unknown) => void,
): Aggregation {
  const { store } = registry;
  const stopLocal = keepLocalServices(registry);
  const availability = new Availability(registry, network, reportBug);
  const ends = [
    store.subscribe(API_SERVICES, ({ key }) => availability.noteApiService(key)),
    store.subscribe('services', ({ stored: { object } }) =>
      availability.noteService(object.metadata.namespace, nameOf(object)),
    ),
    store.subscribe('endpointslices.discovery.k8s.io', ({ stored: { object } }) =>
      availability.noteService(object.metadata.namespace, object.metadata.labels?.['kubernetes.io/service-name'] ?? ''),
    ),
  ];
  for (const [name] of [...store.collection(API_SERVICES).entries()]) availability.noteApiService(name);
  return {
    versions: availability,
    network,
    find: (path) => findRemote(registry, path),
    stop() {
      for (const end of [stopLocal, ...ends]) end();
      availability.stop();
    },
  };
}

const OWN_GROUP = 'apiregistration.k8s.io';

function findRemote({ store }: Registry, path: string): KubeObject | undefined {
  if (!path.startsWith('/apis/')) return undefined;
  const [, , group = '', version = ''] = path.split('/');
  // Its own group stays here whatever its APIService says: it is the way to repair that.
  if (group === OWN_GROUP) return undefined;
  const found = group === '' ? undefined : store.get(API_SERVICES, `${version}.${group}`)?.object;
  return found === undefined || serviceOf(found) === undefined ? undefined : found;
}
