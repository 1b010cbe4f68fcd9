import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { StatusError } from '../errors/status';
import type { StoreEvent } from './history';
import { type LogWrite, memoryLog, type StoreLog } from './log';
import { ObjectStore } from './object-store';

function configMap(name: string, value: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'a' }, data: { value } };
}

/** A store whose commits happen when the test says so. */
function storeByHand(log: StoreLog = memoryLog()): { store: ObjectStore; commit: () => void } {
  let waiting: (() => void)[] = [];
  const store = new ObjectStore({ log, schedule: (run) => waiting.push(run) });
  return {
    store,
    commit() {
      const runs = waiting;
      waiting = [];
      for (const run of runs) run();
    },
  };
}

/** A log whose disk is as slow as the test says. */
function slowDisk(): { log: StoreLog; batches: string[][]; done: () => void; fails: (problem: string) => void } {
  const batches: string[][] = [];
  const waiting: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const log: StoreLog = {
    ...memoryLog(),
    append: (writes) => void batches.push(writes.map(({ key }) => key)),
    sync: () => new Promise((resolve, reject) => waiting.push({ resolve, reject })),
  };
  return {
    log,
    batches,
    done: () => waiting.shift()?.resolve(),
    fails: (problem) => waiting.shift()?.reject(new Error(problem)),
  };
}

describe('the store', () => {
  it('gives every write the next revision and writes it into the object', () => {
    const { store } = storeByHand();
    const first = store.put('configmaps', 'a/x', configMap('x', '1'));
    const second = store.put('configmaps', 'a/x', configMap('x', '2'));
    const gone = store.remove('configmaps', 'a/x');
    expect([first.revision, second.revision, gone?.revision]).toEqual([2, 3, 4]);
    expect(gone?.object.metadata.resourceVersion).toBe('4');
    expect(store.get('configmaps', 'a/x')).toBeUndefined();
  });

  it('announces writes after their commit, in order, with the state before', () => {
    const { store, commit } = storeByHand();
    const received: StoreEvent[] = [];
    store.subscribe('configmaps', (event) => received.push(event));
    store.put('configmaps', 'a/x', configMap('x', '1'));
    store.put('configmaps', 'a/x', configMap('x', '2'));
    expect(received).toEqual([]);
    commit();
    expect(received.map((event) => [event.type, event.revision, event.previous?.revision])).toEqual([
      ['ADDED', 2, undefined],
      ['MODIFIED', 3, 2],
    ]);
  });

  it('commits the writes of one turn together and resolves their promises', async () => {
    const batches: (readonly LogWrite[])[] = [];
    const log = { ...memoryLog(), append: (writes: readonly LogWrite[]) => void batches.push(writes) };
    const { store, commit } = storeByHand(log);
    store.put('configmaps', 'a/x', configMap('x', '1'));
    store.put('secrets', 'a/y', configMap('y', '1'));
    const waiting = store.committed();
    commit();
    await waiting;
    expect(batches.map((batch) => batch.map((write) => write.key))).toEqual([['a/x', 'a/y']]);
  });

  it('undoes a commit that fails, answers 507 and goes on', async () => {
    let full = true;
    const log: StoreLog = {
      ...memoryLog(),
      append: () => {
        if (full) throw new Error('no space left on device');
      },
    };
    const { store, commit } = storeByHand(log);
    store.put('configmaps', 'a/x', configMap('x', '1'));
    const refused = expect(store.committed()).rejects.toThrow(StatusError);
    commit();
    await refused;
    expect(store.get('configmaps', 'a/x')).toBeUndefined();
    full = false;
    const stored = store.put('configmaps', 'a/x', configMap('x', '2'));
    commit();
    expect(stored.revision).toBe(3);
    expect(store.get('configmaps', 'a/x')?.object.data).toEqual({ value: '2' });
  });

  it('lists a past revision, with what was changed, added and removed since', () => {
    const { store, commit } = storeByHand();
    store.put('configmaps', 'a/x', configMap('x', 'old'));
    store.put('configmaps', 'a/y', configMap('y', 'stays'));
    store.put('configmaps', 'a/z', configMap('z', 'goes'));
    commit();
    const then = store.revision;
    store.put('configmaps', 'a/x', configMap('x', 'new'));
    store.put('configmaps', 'a/w', configMap('w', 'later'));
    commit();
    store.remove('configmaps', 'a/z');
    const states = [...(store.entriesAt('configmaps', then, { namespace: 'a' }) ?? [])].map(([key, { object }]) => [
      key,
      object.data,
    ]);
    expect(states).toEqual([
      ['a/x', { value: 'old' }],
      ['a/y', { value: 'stays' }],
      ['a/z', { value: 'goes' }],
    ]);
    const rest = store.entriesAt('configmaps', then, { namespace: 'a', after: 'a/x' });
    expect([...(rest ?? [])].map(([key]) => key)).toEqual(['a/y', 'a/z']);
    expect(rest?.countAfter('a/y')).toBe(1);
  });

  it('forgets what was before a compaction', () => {
    const { store, commit } = storeByHand();
    store.put('configmaps', 'a/x', configMap('x', '1'));
    commit();
    store.compact('configmaps');
    expect(store.eventsSince('configmaps', 1)).toBeUndefined();
    expect(store.eventsSince('configmaps', store.revision)).toEqual([]);
  });

  it('refuses an object that etcd would not take', () => {
    const { store } = storeByHand();
    expect(() => store.put('configmaps', 'a/x', configMap('x', 'x'.repeat(1.6 * 1024 * 1024)))).toThrow(
      'etcdserver: request is too large',
    );
    expect(store.revision).toBe(1);
  });
});

describe('the store over a disk that takes its time', () => {
  it('puts the writes of meanwhile into one more commit and announces each after its own', async () => {
    const disk = slowDisk();
    const { store, commit } = storeByHand(disk.log);
    const received: string[] = [];
    store.subscribe('configmaps', ({ key }) => received.push(key));
    store.put('configmaps', 'a/x', configMap('x', '1'));
    commit();
    store.put('configmaps', 'a/y', configMap('y', '1'));
    commit();
    store.put('configmaps', 'a/z', configMap('z', '1'));
    const all = store.committed();
    expect([disk.batches, received, store.committedRevision]).toEqual([[['a/x']], [], 1]);
    const first = store.committed(2);
    disk.done();
    await first;
    expect([disk.batches, received, store.committedRevision]).toEqual([[['a/x'], ['a/y', 'a/z']], ['a/x'], 2]);
    disk.done();
    await all;
    expect([received, store.committedRevision, store.counts]).toEqual([
      ['a/x', 'a/y', 'a/z'],
      4,
      { commits: 2, writes: 3 },
    ]);
  });

  it('lets a read of what is durable wait for nothing', async () => {
    const disk = slowDisk();
    const { store, commit } = storeByHand(disk.log);
    store.put('configmaps', 'a/x', configMap('x', '1'));
    await store.committed(1);
    commit();
    await store.committed(1);
    expect(disk.batches).toEqual([['a/x']]);
  });

  it('lists a past revision while newer writes are on their way', async () => {
    const disk = slowDisk();
    const { store, commit } = storeByHand(disk.log);
    store.put('configmaps', 'a/x', configMap('x', '1'));
    commit();
    disk.done();
    await store.committed();
    store.put('configmaps', 'a/x', configMap('x', '2'));
    commit();
    store.put('configmaps', 'a/y', configMap('y', '1'));
    const states = [...(store.entriesAt('configmaps', 2) ?? [])].map(([key, { object }]) => [key, object.data]);
    expect(states).toEqual([['a/x', { value: '1' }]]);
  });

  it('refuses writes after the disk failed, and rejects the promises of earlier ones', async () => {
    const disk = slowDisk();
    const { store, commit } = storeByHand(disk.log);
    store.put('configmaps', 'a/x', configMap('x', '1'));
    const first = expect(store.committed()).rejects.toThrow(
      'EIO; its disk failed, see to it and start the sandbox again',
    );
    commit();
    store.put('configmaps', 'a/x', configMap('x', '2'));
    const second = expect(store.committed()).rejects.toThrow('EIO');
    disk.fails('EIO');
    await Promise.all([first, second]);
    expect(store.get('configmaps', 'a/x')).toBeUndefined();
    store.put('configmaps', 'a/y', configMap('y', '1'));
    const third = expect(store.committed()).rejects.toThrow('EIO');
    commit();
    await third;
    expect([disk.batches, store.get('configmaps', 'a/y')]).toEqual([[['a/x']], undefined]);
  });

  it('settles the promises of writes when it is closed in the middle of a commit', async () => {
    const disk = slowDisk();
    const { store, commit } = storeByHand(disk.log);
    store.put('configmaps', 'a/x', configMap('x', '1'));
    const first = store.committed();
    commit();
    store.put('configmaps', 'a/y', configMap('y', '1'));
    const second = store.committed();
    store.close();
    await Promise.all([first, second]);
    disk.done();
    expect(disk.batches).toEqual([['a/x'], ['a/y']]);
  });
});
