import { jsonEqual, stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import type { RemoteResource, RemoteVersion, RemoteVersions } from '../discovery/remote-versions';
import { localCondition } from '../kinds/aggregation/rules';
import type { Registry } from '../registry/registry';
import { availableCondition, type BackendCheck, checkBackend, writeCondition } from './check-backend';
import type { BackendNetwork } from './connect-backend';
import { API_SERVICES, serviceOf } from './local-services';

/** A server that answered is asked again after this time; one that did not, sooner. */
const RECHECK_MS = 30_000;
const RETRY_MS = 5_000;

/** One APIService with a Service: what its server said last, and when it is asked again. */
interface Watched {
  resources: readonly RemoteResource[];
  isAvailable: boolean;
  isChecking: boolean;
  /** Something changed during the check. */
  isChanged: boolean;
  timer: { cancel(): void } | undefined;
}

/**
 * Keeps the condition Available and the discovery of APIServices up to date (kube-aggregator available_controller and
 * discovery manager). A check begins when the APIService, its Service or an EndpointSlice of it changes, and in between by
 * the clock. Without APIServices that have a Service there is nothing to do and no timer runs.
 */
export class Availability implements RemoteVersions {
  private readonly watched = new Map<string, Watched>();
  /** UID and spec that were checked: its own writes of status begin no check. */
  private readonly specs = new Map<string, string>();
  private readonly stopping = new AbortController();
  private changes = 0;

  constructor(
    private readonly registry: Registry,
    private readonly network: BackendNetwork,
    private readonly reportBug: (error: unknown) => void,
  ) {}

  get generation(): number {
    return this.changes;
  }

  all(): readonly RemoteVersion[] {
    const versions = [...this.watched].map(([name, state]) => remoteVersion(name, state));
    // What this server answers itself, whatever its APIService says.
    return versions.filter(({ group }) => group !== '' && group !== 'apiregistration.k8s.io');
  }

  /** An APIService was made, changed or deleted. */
  noteApiService(name: string): void {
    const object = this.find(name);
    const spec = object === undefined ? '' : JSON.stringify([object.metadata.uid, object.spec]);
    if (this.specs.get(name) === spec) return;
    if (object === undefined) this.specs.delete(name);
    else this.specs.set(name, spec);
    this.check(name);
  }

  /** A Service or an EndpointSlice of a Service changed. */
  noteService(namespace: string | undefined, service: string): void {
    for (const name of [...this.watched.keys()]) {
      const object = this.find(name);
      const reference = object === undefined ? undefined : serviceOf(object);
      const isIts = stringAt(reference, 'name') === service && stringAt(reference, 'namespace') === namespace;
      if (isIts) this.check(name);
    }
  }

  stop(): void {
    this.stopping.abort();
    for (const name of [...this.watched.keys()]) this.forget(name);
  }

  private find(name: string): KubeObject | undefined {
    return this.registry.store.get(API_SERVICES, name)?.object;
  }

  private check(name: string): void {
    const apiService = this.find(name);
    if (apiService === undefined || serviceOf(apiService) === undefined) {
      this.forget(name);
      const nowMs = this.registry.clock.now();
      if (apiService !== undefined) writeCondition(this.registry, apiService, localCondition(nowMs));
      return;
    }
    const state = this.stateOf(name);
    state.timer?.cancel();
    if (state.isChecking) {
      state.isChanged = true;
      return;
    }
    state.isChecking = true;
    void this.ask(apiService, state).catch((error) => this.stopping.signal.aborted || this.reportBug(error));
  }

  private stateOf(name: string): Watched {
    const known = this.watched.get(name);
    if (known !== undefined) return known;
    const state = { resources: [], isAvailable: false, isChecking: false, isChanged: false, timer: undefined };
    this.watched.set(name, state);
    this.changes++;
    return state;
  }

  private forget(name: string): void {
    this.watched.get(name)?.timer?.cancel();
    if (this.watched.delete(name)) this.changes++;
  }

  private async ask(apiService: KubeObject, state: Watched): Promise<void> {
    const { registry, network, stopping } = this;
    const name = nameOf(apiService);
    const found = await checkBackend(registry, network, apiService, stopping.signal);
    state.isChecking = false;
    if (stopping.signal.aborted || this.watched.get(name) !== state) return;
    if (state.isChanged) {
      state.isChanged = false;
      this.check(name);
      return;
    }
    this.note(state, found);
    state.timer = registry.clock.after(state.isAvailable ? RECHECK_MS : RETRY_MS, () => this.check(name));
    const present = this.find(name);
    if (present !== undefined) writeCondition(registry, present, availableCondition(registry, found));
  }

  /** A server that does not answer now keeps what it said last. */
  private note(state: Watched, found: BackendCheck): void {
    const isAvailable = 'resources' in found;
    const resources = isAvailable ? found.resources : state.resources;
    if (state.isAvailable !== isAvailable || !jsonEqual(state.resources, resources)) this.changes++;
    Object.assign(state, { resources, isAvailable });
  }
}

/** The name of an APIService is `VERSION.GROUP`; a version has no dot. */
function remoteVersion(name: string, { resources, isAvailable }: Watched): RemoteVersion {
  const dot = name.indexOf('.');
  const freshness = isAvailable ? 'Current' : 'Stale';
  return { group: name.slice(dot + 1), version: name.slice(0, dot), resources, freshness };
}
