import type { KubeObject } from '@/lib/kube/object';
import { seededRandom } from '@/lib/random/random';
import { type Cache, type CacheChange, startCache } from '@/server/kube/cache';
import { silentLog } from '@/server/log/log';
import type { FaultyClient } from './faulty-client';

const CONFIG_MAPS = { group: '', version: 'v1', resource: 'configmaps' } as const;

/** A cache of the ConfigMaps of one namespace, the people who change them, and an eye on what the cache tells. */
export class Watched {
  readonly problems: string[] = [];
  readonly cache: Cache;
  private readonly told = new Map<string, KubeObject>();
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

  /** Until the cache holds what the API lists, and what it told adds up to it. Gives the virtual time that this took. */
  converges(withinMs?: number): Promise<number> {
    return this.client.until(
      'the cache is what the API lists',
      async () => {
        const { items } = await this.client.people.list({ ...CONFIG_MAPS, namespace: this.namespace });
        const wanted = versions(items);
        return versions(this.cache.list()) === wanted && versions([...this.told.values()]) === wanted;
      },
      withinMs,
    );
  }

  stop(): Promise<void> {
    return this.cache.stop();
  }

  /** Objects are added once, changed while they are there, deleted once, and never go back. */
  private note({ type, object }: CacheChange): void {
    const name = object.metadata.name ?? '';
    const before = this.told.get(name);
    if ((type === 'ADDED') !== (before === undefined))
      this.problems.push(`${type} of ${name} after ${before?.metadata.resourceVersion}`);
    const went = Number(object.metadata.resourceVersion) - Number(before?.metadata.resourceVersion ?? 0);
    if (type !== 'DELETED' && went <= 0) this.problems.push(`${name} went back by ${went}`);
    if (type === 'DELETED') this.told.delete(name);
    else this.told.set(name, object);
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
