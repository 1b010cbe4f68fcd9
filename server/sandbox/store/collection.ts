import type { KubeObject } from '@/lib/kube/object';

/** An object as it is stored: never changed, replaced as a whole. */
export interface StoredObject {
  readonly object: KubeObject;
  /** The revision of the write that made it; the same number as its `metadata.resourceVersion`. */
  readonly revision: number;
  /** The object as JSON text: made once, used by the log, by answers and by every watcher. */
  readonly json: string;
}

/** `namespace/name`, or `name` alone for cluster-scoped objects. Sorts as etcd's keys do. */
export function objectKey(namespace: string | undefined, name: string): string {
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}

/** The objects of one resource by key, in the order of their keys. */
export class Collection {
  private readonly byKey = new Map<string, StoredObject>();
  private keys: string[] = [];

  get size(): number {
    return this.byKey.size;
  }

  get(key: string): StoredObject | undefined {
    return this.byKey.get(key);
  }

  set(key: string, stored: StoredObject): void {
    if (!this.byKey.has(key)) this.keys.splice(this.firstAtOrAfter(key), 0, key);
    this.byKey.set(key, stored);
  }

  delete(key: string): void {
    if (this.byKey.delete(key)) this.keys.splice(this.firstAtOrAfter(key), 1);
  }

  /** All objects, or those of one namespace, in key order. */
  *entries(namespace?: string): IterableIterator<[string, StoredObject]> {
    const prefix = namespace === undefined || namespace === '' ? '' : `${namespace}/`;
    const start = prefix === '' ? 0 : this.firstAtOrAfter(prefix);
    for (let index = start; index < this.keys.length; index++) {
      const key = this.keys[index];
      if (key === undefined || !key.startsWith(prefix)) return;
      const stored = this.byKey.get(key);
      if (stored !== undefined) yield [key, stored];
    }
  }

  private firstAtOrAfter(key: string): number {
    return countBefore(this.keys, (each) => each < key);
  }
}

/** How many elements of a sorted list are before a place in it. */
export function countBefore<T>(sorted: readonly T[], isBefore: (element: T) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const element = sorted[middle];
    if (element !== undefined && isBefore(element)) low = middle + 1;
    else high = middle;
  }
  return low;
}
