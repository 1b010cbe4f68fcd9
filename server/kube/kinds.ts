import { TransientError } from '@/lib/errors/errors';
import { type KubeObject, nameOf, namespaceOf, parseApiVersion, type ResourceType } from '@/lib/kube/object';
import type { Api, ApiDiscovery, Target } from './api';

/**
 * Resources by kind, from discovery. For an unknown kind, discovery runs once more, since a CRD may have been created. Concurrent
 * misses share one request.
 */
export class KindIndex {
  private discovery: ApiDiscovery | undefined;
  private byKind = new Map<string, ResourceType>();
  private refreshing: Promise<void> | undefined;

  constructor(private readonly api: Api) {}

  /** The resource of a kind if it is known already. */
  known(apiVersion: string, kind: string): ResourceType | undefined {
    return this.byKind.get(`${apiVersion}/${kind}`);
  }

  /** {@link known}, with the apiVersion and kind of an object. */
  readonly serves = (apiVersion: string, kind: string): boolean => this.known(apiVersion, kind) !== undefined;

  /** Runs discovery once, before the first use. */
  async ready(): Promise<void> {
    if (this.discovery === undefined) await this.refresh();
  }

  /**
   * The resource of a kind; undefined when the cluster does not serve it.
   * @throws TransientError when discovery of its group fails, so that a failure never counts as "no such kind"
   */
  async resolve(apiVersion: string, kind: string): Promise<ResourceType | undefined> {
    const first = this.known(apiVersion, kind);
    if (first !== undefined) return first;
    await this.refresh();
    const found = this.known(apiVersion, kind);
    if (found !== undefined) return found;
    const failure = this.discovery?.failed.find((entry) => entry.startsWith(`${apiVersion}:`));
    if (failure !== undefined) {
      throw new TransientError(`Discovery of ${apiVersion} failed: ${failure}.`, 'DiscoveryFailed');
    }
    return undefined;
  }

  /** The target of an object; undefined when the cluster does not serve its kind. */
  async targetOf(object: KubeObject): Promise<Target | undefined> {
    const resource = await this.resolve(object.apiVersion, object.kind);
    if (resource === undefined) return undefined;
    const { group, version } = parseApiVersion(object.apiVersion);
    const target: Target = { group, version, resource: resource.resource, name: nameOf(object) };
    if (resource.namespaced) target.namespace = namespaceOf(object);
    return target;
  }

  private async refresh(): Promise<void> {
    this.refreshing ??= this.read().finally(() => {
      this.refreshing = undefined;
    });
    await this.refreshing;
  }

  private async read(): Promise<void> {
    const discovery = await this.api.discover({ refresh: true });
    const byKind = new Map<string, ResourceType>();
    for (const resource of discovery.resources) {
      const { group, version } = resource;
      byKind.set(`${group === '' ? version : `${group}/${version}`}/${resource.kind}`, resource);
    }
    // A group version that failed this time may be known from an earlier discovery.
    for (const [key, resource] of this.byKind) {
      const gone = !byKind.has(key) && discovery.failed.some((entry) => key.startsWith(`${entry.split(':')[0]}/`));
      if (gone) byKind.set(key, resource);
    }
    this.discovery = discovery;
    this.byKind = byKind;
  }
}
