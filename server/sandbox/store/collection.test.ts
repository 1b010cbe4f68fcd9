import { describe, expect, it } from 'vitest';
import { Collection, objectKey, type StoredObject } from './collection';

const stored: StoredObject = {
  object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} },
  revision: 1,
  json: '{}',
};

describe('a collection', () => {
  it('lists in the order of keys, whatever the order of writing', () => {
    const collection = new Collection();
    for (const key of ['b/a', 'a/z', 'a-b/c', 'a/b']) collection.set(key, stored);
    expect([...collection.entries()].map(([key]) => key)).toEqual(['a-b/c', 'a/b', 'a/z', 'b/a']);
  });

  it('lists one namespace without those whose names begin alike', () => {
    const collection = new Collection();
    for (const key of ['a/x', 'a-b/x', 'aa/x', 'a/y']) collection.set(key, stored);
    expect([...collection.entries('a')].map(([key]) => key)).toEqual(['a/x', 'a/y']);
  });

  it('goes on after a key, and counts what follows in the namespace', () => {
    const collection = new Collection();
    for (const key of ['a-b/x', 'a/w', 'a/x', 'a/y', 'aa/x']) collection.set(key, stored);
    const keys = (after: string, namespace?: string) => [...collection.entries(namespace, after)].map(([key]) => key);
    expect(keys('a/w', 'a')).toEqual(['a/x', 'a/y']);
    expect(keys('a/wa')).toEqual(['a/x', 'a/y', 'aa/x']);
    expect(collection.entries('a').countAfter('a/w')).toBe(2);
    expect(collection.entries().countAfter('a/w')).toBe(3);
  });

  it('forgets what is deleted', () => {
    const collection = new Collection();
    collection.set('a/x', stored);
    collection.delete('a/x');
    collection.delete('a/none');
    expect([...collection.entries()]).toEqual([]);
    expect(collection.size).toBe(0);
  });

  it('keys cluster-scoped objects by name alone', () => {
    expect([objectKey(undefined, 'n'), objectKey('', 'n'), objectKey('ns', 'n')]).toEqual(['n', 'n', 'ns/n']);
  });
});
