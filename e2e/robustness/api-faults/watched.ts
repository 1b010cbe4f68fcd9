import type { KubeObject } from '@/lib/kube/object';
import { seededRandom } from '@/lib/random/random';
import { type Cache, type CacheChange, startCache } from '@/server/kube/cache';
import { silentLog } from '@/server/log/log';
import type { FaultyClient } from './faulty-client';

const CONFIG_MAPS = { group: '', version: 'v1', resource: 'configmaps' } as const;

/** A cache of the ConfigMaps of one namespace, a client that changes them, and a check of the changes that the cache reports. */
export class Watched {
  readonly problems: string[] = [];
  readonly cache: Cache;
  private readonly reported = new Map<string, KubeObject>();
  private writes = 0;

  constructor(
    private readonly client: FaultyClient,
    readonly namespace: string,
  ) {
    this.cache = startCache(
      client.api,
      { ...CONFIG_MAPS, namespace },
      { clock: client.clock, random: seededRandom(namespace), log: silentLog },
    );
    this.cache.onChange((change) => this.note(change));
  }

  /** One of: a new object, a change of the oldest but one, a deletion of the oldest. */
  async write(): Promise<void> {
    const { people } = this.client;
    const number = this.writes++;
    const target = (index: number) => ({ ...CONFIG_MAPS, namespace: this.namespace, name: `c${index}` });
    await people.create(target(number), watchedConfigMap(`c${number}`, 'new'));
    if (number >= 1) await people.patch(target(number - 1), 'merge', { data: { value: 'changed' } });
    if (number >= 3 && number % 2 === 1) await people.delete(target(number - 3));
  }

  /** Waits until the cache and the sum of its reported changes equal what the API lists. Returns the virtual time that this took. */
  converges(withinMs?: number): Promise<number> {
    return this.client.until(
      'the cache equals what the API lists',
      async () => {
        const { items } = await this.client.people.list({ ...CONFIG_MAPS, namespace: this.namespace });
        const wanted = versions(items);
        return versions(this.cache.list()) === wanted && versions([...this.reported.values()]) === wanted;
      },
      withinMs,
    );
  }

  stop(): Promise<void> {
    return this.cache.stop();
  }

  /** Objects are added once, changed while they exist, deleted once, and never return to an older version. */
  private note({ type, object }: CacheChange): void {
    const name = object.metadata.name ?? '';
    const before = this.reported.get(name);
    if ((type === 'ADDED') !== (before === undefined))
      this.problems.push(`${type} of ${name} after ${before?.metadata.resourceVersion}`);
    const went = Number(object.metadata.resourceVersion) - Number(before?.metadata.resourceVersion ?? 0);
    if (type !== 'DELETED' && went <= 0) this.problems.push(`${name} went back by ${went}`);
    if (type === 'DELETED') this.reported.delete(name);
    else this.reported.set(name, object);
  }
}

export function watchedConfigMap(name: string, value: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } };
}

function versions(objects: readonly KubeObject[]): string {
  return objects
    .filter(({ metadata }) => metadata.name !== 'kube-root-ca.crt')
    .map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`)
    .sort()
    .join(' ');
}
