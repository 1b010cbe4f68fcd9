import { rfc3339 } from '@/lib/clock/rfc3339';
import { messageOf } from '@/lib/errors/errors';
import { arrayAt, cloneJson, type JsonObject, jsonEqual, stringAt } from '@/lib/json/json';
import { hasCondition } from '@/lib/kube/conditions';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import type { RemoteResource } from '../discovery/remote-versions';
import { internalContext } from '../registry/context';
import type { Registry } from '../registry/registry';
import { replaceObject } from '../registry/update';
import { findCondition, withoutCondition } from '../workloads/core/conditions';
import { type BackendNetwork, connectBackend, trustOf } from './connect-backend';
import { readDiscovery } from './read-discovery';
import { type ApiBackend, resolveBackend, type Unavailable } from './resolve-backend';

/** What the server behind an APIService serves, or why it is not available. */
export type BackendCheck = { readonly resources: readonly RemoteResource[] } | { readonly unavailable: Unavailable };

/** Whether the server behind an APIService answers, and what it serves. */
export async function checkBackend(
  registry: Registry,
  network: BackendNetwork,
  apiService: KubeObject,
  signal: AbortSignal,
): Promise<BackendCheck> {
  // After the writes of this turn: a Service and its EndpointSlice often come together.
  await registry.store.committed();
  const resolution = resolveBackend(registry, apiService);
  if ('unavailable' in resolution) return resolution;
  const { backend } = resolution;
  const [group, version] = [stringAt(apiService, 'spec', 'group'), stringAt(apiService, 'spec', 'version')];
  const path = `/apis/${group}/${version}`;
  const url = `https://${urlHost(backend)}${path}`;
  try {
    const socket = await connectBackend(network, backend, trustOf(apiService), signal);
    return { resources: await readDiscovery(socket, path, backend.serverName) };
  } catch (error) {
    const message = `failing or missing response from ${url}: Get ${JSON.stringify(url)}: ${messageOf(error)}`;
    return { unavailable: { reason: 'FailedDiscoveryCheck', message } };
  }
}

function urlHost({ address, port }: ApiBackend): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

/** The condition that a check gives. */
export function availableCondition({ clock }: Registry, found: BackendCheck): JsonObject {
  const isAvailable = 'resources' in found;
  const { reason, message } = isAvailable ? { reason: 'Passed', message: 'all checks passed' } : found.unavailable;
  const lastTransitionTime = rfc3339(clock.now());
  return { type: 'Available', status: isAvailable ? 'True' : 'False', lastTransitionTime, reason, message };
}

/** The time of a condition is when its status changed. */
export function writeCondition(registry: Registry, apiService: KubeObject, condition: JsonObject): void {
  const info = registry.table.find('apiregistration.k8s.io', 'apiservices');
  if (info === undefined) return;
  const before = arrayAt(apiService, 'status', 'conditions');
  const old = findCondition(before, 'Available');
  const isSame = old?.status === condition.status && old?.lastTransitionTime !== undefined;
  const next = isSame ? { ...condition, lastTransitionTime: old?.lastTransitionTime ?? null } : condition;
  if (jsonEqual(old, next)) return;
  const status = { conditions: [...withoutCondition(before, 'Available'), next] };
  const place = { info, namespace: undefined, name: nameOf(apiService) };
  replaceObject(registry, place, { ...cloneJson(apiService), status }, internalContext('status'));
}

/** True when the server behind an APIService answered its last check. */
export function isAvailable(apiService: KubeObject): boolean {
  return hasCondition(apiService, 'Available');
}
