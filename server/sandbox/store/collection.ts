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

/** Objects in the order of their keys. */
export interface StoredEntries extends Iterable<[string, StoredObject]> {
  /** How many have a greater key than that of one of them. */
  countAfter(key: string): number;
}

/** What the keys of a namespace begin with; the empty string for all. */
export function prefixOf(namespace: string | undefined): string {
  return namespace === undefined || namespace === '' ? '' : `${namespace}/`;
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

  /** All objects, or those of one namespace, in key order; with `after` those whose keys are greater. */
  entries(namespace?: string, after?: string): StoredEntries {
    const prefix = prefixOf(namespace);
    return {
      [Symbol.iterator]: () => this.iterate(prefix, after),
      // "0" is the character after "/".
      countAfter: (key) => {
        const end = prefix === '' ? this.keys.length : this.firstAtOrAfter(`${prefix.slice(0, -1)}0`);
        return end - countBefore(this.keys, (each) => each <= key);
      },
    };
  }

  private *iterate(prefix: string, after: string | undefined): IterableIterator<[string, StoredObject]> {
    const isBefore = (key: string) => key < prefix || (after !== undefined && key <= after);
    for (let index = countBefore(this.keys, isBefore); index < this.keys.length; index++) {
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
