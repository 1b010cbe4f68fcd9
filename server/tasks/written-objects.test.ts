import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { WrittenObjects } from './written-objects';

const map = (name: string, value = 'x'): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'ns', name, resourceVersion: '7' },
  data: { value },
});
const always = () => true;
const roomFor = (...objects: KubeObject[]) => objects.reduce((sum, object) => sum + JSON.stringify(object).length, 0);

describe('what a leader term knows of the objects that it applied', () => {
  it('is the object as it was stored last, without managed fields', () => {
    const written = new WrittenObjects(10_000, always);
    const live = map('a', 'new');
    written.keep(map('a'), map('a', 'old'));
    written.keep(map('a'), { ...live, metadata: { ...live.metadata, managedFields: [{ manager: 'bravo' }] } });
    expect(written.look(map('a'))).toEqual(live);
  });

  it('is given once when it is taken', () => {
    const written = new WrittenObjects(10_000, always);
    written.keep(map('a'), map('a'));
    expect(written.take(map('a'))).toEqual(map('a'));
    expect(written.take(map('a'))).toBeUndefined();
  });

  it('is nothing of another object, or of the same one in another version', () => {
    const written = new WrittenObjects(10_000, always);
    written.keep(map('a'), map('a'));
    expect(written.look(map('b'))).toBeUndefined();
    expect(written.look({ ...map('a'), kind: 'Secret' })).toBeUndefined();
    expect(written.look({ ...map('a'), apiVersion: 'v2' })).toBeUndefined();
  });

  it('is nothing of an object that has probably changed since, or that is being deleted', () => {
    const written = new WrittenObjects(10_000, ({ metadata }) => metadata.name !== 'busy');
    const dying = map('dying');
    written.keep(map('busy'), map('busy'));
    written.keep(dying, { ...dying, metadata: { ...dying.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } });
    expect(written.look(map('busy'))).toBeUndefined();
    expect(written.look(dying)).toBeUndefined();
  });

  it('does not grow beyond its limit: what was used least recently goes first', () => {
    const written = new WrittenObjects(roomFor(map('a'), map('b')), always);
    for (const name of ['a', 'b', 'a', 'c']) written.keep(map(name), map(name));
    expect(['a', 'b', 'c'].filter((name) => written.look(map(name)) !== undefined)).toEqual(['a', 'c']);
    written.keep(map('huge'), map('huge', 'x'.repeat(1_000)));
    expect(written.look(map('huge'))).toBeUndefined();
    written.keep(map('a'), map('a'));
    expect(written.look(map('a'))).toBeDefined();
  });
});
