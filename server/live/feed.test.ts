import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { Feed, PROBLEM_CURSOR } from './feed';

function pod(name: string, resourceVersion: string, uid = name): KubeObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'demo', name, uid, resourceVersion } };
}

function feedWith(...names: string[]): Feed {
  const feed = new Feed('core/v1/pods', 'epoch', (object) => object);
  feed.ready(names.map((name) => pod(name, '1')));
  return feed;
}

function cursorOf(feed: Feed): string {
  return feed.snapshot(0).cursor ?? '';
}

describe('Feed', () => {
  it('has nothing to tell before the first list', () => {
    const feed = new Feed('core/v1/pods', 'epoch', (object) => object);
    expect(feed.isLoading).toBe(true);
    expect(feed.since(undefined, 0)).toBeUndefined();
  });

  it('gives rows in part while the first list is read, each time when twice as many are known', () => {
    const feed = new Feed(
      'core/v1/pods!rows',
      'epoch',
      (object) => object,
      ({ metadata }) => -Number(metadata.uid),
    );
    const pods = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) => pod(`p-${from + at}`, '1', String(from + at)));
    feed.part(pods(0, 150), 400);
    const first = feed.since(undefined, 0);
    expect(first).toMatchObject({ type: 'snapshot', total: 400, read: 150 });
    expect(first?.type === 'snapshot' && first.cursor).toBeUndefined();
    expect(first?.type === 'snapshot' && first.objects.map(({ metadata }) => metadata.name)).toEqual(
      Array.from({ length: 100 }, (_, at) => `p-${149 - at}`),
    );
    const cursor = feed.partCursor;
    feed.part(pods(150, 299), 400);
    expect(feed.since(cursor, 0)).toBeUndefined();
    feed.part(pods(299, 300), 400);
    expect(feed.since(cursor, 0)).toMatchObject({ total: 400, read: 300 });
    feed.ready(pods(1, 400));
    expect(feed.partCursor).toBeUndefined();
    const all = feed.since(cursor, 0);
    expect(all).not.toHaveProperty('read');
    expect(all?.type === 'snapshot' && all.objects.length).toBe(399);
  });

  it('gives nothing in part of a topic whose list must be whole', () => {
    for (const topic of ['core/v1/pods', 'core/v1/pods@demo+a!rows', 'core/v1/pods@demo=a']) {
      const feed = new Feed(topic, 'epoch', (object) => object);
      feed.part([pod('a', '1')], 400);
      expect(feed.since(undefined, 0)).toBeUndefined();
    }
  });

  it('gives a client without a cursor everything', () => {
    const frame = feedWith('a', 'b').since(undefined, 5);
    expect(frame).toMatchObject({ type: 'snapshot', nowMs: 5, objects: [pod('a', '1'), pod('b', '1')] });
  });

  it('gives a client with a cursor the newest state of what changed, once', () => {
    const feed = feedWith('a', 'b');
    const cursor = cursorOf(feed);
    feed.changed(pod('a', '2'));
    feed.changed(pod('a', '3'));
    feed.deleted(pod('b', '4'));
    expect(feed.since(cursor, 0)).toMatchObject({
      type: 'delta',
      changed: [pod('a', '3')],
      deleted: [{ namespace: 'demo', name: 'b' }],
    });
  });

  it('says how the object of a topic of one ended, though that was merged with its deletion', () => {
    const feed = new Feed('core/v1/pods@demo=a', 'epoch', (object) => ({ ...object, kind: 'Shown' }));
    feed.ready([pod('a', '1')]);
    const cursor = cursorOf(feed);
    feed.changed(pod('a', '2'));
    feed.deleted(pod('a', '3'));
    expect(feed.since(cursor, 0)).toMatchObject({ changed: [], last: { ...pod('a', '3'), kind: 'Shown' } });
    feed.changed(pod('a', '4'));
    expect(feed.since(cursor, 0)).not.toHaveProperty('last');
  });

  it('reports a deletion to its parts with the object as it is shown', () => {
    const feed = new Feed('core/v1/pods', 'epoch', (object) => ({ ...object, kind: 'Shown' }));
    const part = new Feed('core/v1/pods@demo=a', 'epoch', (object) => object);
    feed.follow(part);
    feed.ready([pod('a', '1')]);
    const cursor = cursorOf(part);
    feed.deleted(pod('a', '3'));
    expect(part.since(cursor, 0)).toMatchObject({ last: { kind: 'Shown' } });
  });

  it('has nothing to tell a client that is up to date', () => {
    const feed = feedWith('a');
    expect(feed.since(cursorOf(feed), 0)).toBeUndefined();
  });

  it('gives a cursor of another process a snapshot', () => {
    expect(feedWith('a').since('other.1', 0)?.type).toBe('snapshot');
    expect(feedWith('a').since('epoch.999', 0)?.type).toBe('snapshot');
  });

  it('gives a client that was away for longer than the journal a snapshot', () => {
    const feed = feedWith('a');
    const cursor = cursorOf(feed);
    for (let version = 2; version < 10_100; version++) feed.changed(pod('a', String(version)));
    expect(feed.since(cursor, 0)?.type).toBe('snapshot');
  });

  it('reports objects that were deleted while the watch was closed', () => {
    const feed = feedWith('a', 'b');
    const cursor = cursorOf(feed);
    feed.ready([pod('b', '1'), pod('c', '9')]);
    expect(feed.since(cursor, 0)).toMatchObject({
      changed: [pod('c', '9')],
      deleted: [{ namespace: 'demo', name: 'a' }],
    });
  });

  it('reports a problem once, and its end', () => {
    const feed = feedWith('a');
    feed.problem({ status: 'forbidden', message: 'no' });
    expect(feed.since(cursorOf(feed), 0)).toEqual({
      type: 'problem',
      topic: 'core/v1/pods',
      problem: { status: 'forbidden', message: 'no' },
    });
    expect(feed.since(PROBLEM_CURSOR, 0)).toBeUndefined();
    feed.ready([pod('a', '1')]);
    expect(feed.since(PROBLEM_CURSOR, 0)?.type).toBe('snapshot');
  });

  it('does not count an event that brings the known version as a change', () => {
    const feed = feedWith('a');
    const cursor = cursorOf(feed);
    feed.changed(pod('a', '1'));
    expect(feed.since(cursor, 0)).toBeUndefined();
  });
});
