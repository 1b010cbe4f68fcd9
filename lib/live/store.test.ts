import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { LiveStore } from './store';
import { topics } from './topic';

const TOPIC = 'kudo.dev/v1beta1/instances';

function instance(name: string, resourceVersion: string): KubeObject {
  return { apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', metadata: { namespace: 'demo', name, resourceVersion } };
}

const snapshot = (cursor: string, ...objects: KubeObject[]) =>
  ({ type: 'snapshot', topic: TOPIC, cursor, objects, nowMs: 1_000 }) as const;

describe('LiveStore', () => {
  it('keeps the identity of objects that a snapshot brings unchanged', () => {
    const store = new LiveStore(0);
    store.receive(snapshot('1', instance('a', '1'), instance('b', '1')), 1_000);
    const [before] = store.view(TOPIC).objects;
    store.receive(snapshot('2', instance('a', '1'), instance('b', '2')), 1_000);
    expect(store.view(TOPIC).objects[0]).toBe(before);
  });

  it('is connecting until the first answer, whatever else the open stream says', () => {
    const store = new LiveStore(0);
    store.want(topics.instances);
    store.want(topics.namespaces);
    store.receive({ type: 'hello', version: '1', nowMs: 1_000, view: '' }, 1_000);
    store.setConnection('live', 1_000);
    expect(store.connection()).toMatchObject({ status: 'connecting', isWaiting: true });
    store.receive(snapshot('1'), 3_000);
    expect(store.connection()).toMatchObject({ status: 'live', isWaiting: true });
    store.receive({ ...snapshot('1'), topic: 'core/v1/namespaces!rows' }, 3_000);
    expect(store.connection()).toMatchObject({ status: 'live', isWaiting: false });
    const forget = store.want({ group: '', version: 'v1', resource: 'pods' });
    expect(store.connection().isWaiting).toBe(true);
    forget();
    expect(store.connection().isWaiting).toBe(false);
  });

  it('is live as soon as the API has refused a topic: that is an answer', () => {
    const store = new LiveStore(0);
    store.want(topics.instances);
    store.setConnection('live', 1_000);
    store.receive({ type: 'problem', topic: TOPIC, problem: { status: 'forbidden', message: 'no' } }, 2_000);
    expect(store.connection()).toMatchObject({ status: 'live', isWaiting: false });
  });

  it('is as old as the oldest of the wanted topics, until a stream says otherwise', () => {
    const store = new LiveStore(0);
    const stale = (topic: string, sinceMs: number | undefined) =>
      store.receive({ type: 'stale', topic, sinceMs }, 1_000);
    const forget = store.want(topics.namespaces);
    store.want(topics.instances);
    stale('core/v1/namespaces!rows', 5);
    stale(TOPIC, 7);
    stale('core/v1/pods@other', 1);
    expect(store.connection().staleSinceMs).toBe(5);
    forget();
    expect(store.connection().staleSinceMs).toBe(7);
    store.receive({ type: 'hello', version: '1', nowMs: 1_000, view: '' }, 1_000);
    expect(store.connection().staleSinceMs).toBe(7);
    stale(TOPIC, undefined);
    expect(store.connection().staleSinceMs).toBeUndefined();
    expect(store.view(TOPIC).staleSinceMs).toBeUndefined();
  });

  it('applies a delta: changed in place, new at the end, deleted gone', () => {
    const store = new LiveStore(0);
    store.receive(snapshot('1', instance('a', '1'), instance('b', '1')), 1_000);
    store.receive(
      {
        type: 'delta',
        topic: TOPIC,
        cursor: '2',
        changed: [instance('c', '1'), instance('a', '2')],
        deleted: [{ namespace: 'demo', name: 'b' }],
        nowMs: 1_000,
      },
      1_000,
    );
    expect(store.view(TOPIC).objects).toEqual([instance('a', '2'), instance('c', '1')]);
  });

  it('knows how the one object of a topic ended, until there is one again', () => {
    const store = new LiveStore(0);
    const topic = `${TOPIC}@demo=a`;
    const deleted = [{ namespace: 'demo', name: 'a' }];
    const delta = { type: 'delta' as const, topic, cursor: '2', nowMs: 1_000 };
    store.receive({ ...snapshot('1', instance('a', '1')), topic }, 1_000);
    store.receive({ ...delta, changed: [], deleted, last: instance('a', '3') }, 1_000);
    expect(store.view(topic)).toMatchObject({ objects: [], last: instance('a', '3') });
    store.receive({ ...delta, deleted: [], changed: [instance('a', '4')] }, 1_000);
    expect(store.view(topic)).not.toHaveProperty('last');
  });

  it('goes on from the cursors of what is wanted', () => {
    const store = new LiveStore(0);
    const stop = store.want(topics.instances);
    store.receive(snapshot('e.7'), 1_000);
    expect(store.subscriptions()).toEqual([{ topic: TOPIC, cursor: 'e.7' }]);
    stop();
    expect(store.subscriptions()).toEqual([]);
  });

  it('takes a seed only where nothing newer is followed', () => {
    const store = new LiveStore(0);
    store.want(topics.instances);
    store.receive(snapshot('2', instance('new', '2')), 1_000);
    store.seed([snapshot('1', instance('old', '1'))]);
    expect(store.view(TOPIC).objects).toEqual([instance('new', '2')]);
    expect(store.seededView(TOPIC).objects).toEqual([instance('old', '1')]);
  });

  it('marks data as old and takes the mark away', () => {
    const store = new LiveStore(0);
    store.receive(snapshot('1', instance('a', '1')), 1_000);
    store.receive({ type: 'stale', topic: TOPIC, sinceMs: 500 }, 1_000);
    expect(store.view(TOPIC)).toMatchObject({ status: 'ready', staleSinceMs: 500 });
    store.receive({ type: 'stale', topic: TOPIC, sinceMs: undefined }, 1_000);
    expect(store.view(TOPIC).staleSinceMs).toBeUndefined();
  });

  it('shows a problem and keeps what was known', () => {
    const store = new LiveStore(0);
    store.receive(snapshot('1', instance('a', '1')), 1_000);
    store.receive({ type: 'problem', topic: TOPIC, problem: { status: 'missing', message: 'gone' } }, 1_000);
    expect(store.view(TOPIC)).toMatchObject({ status: 'missing', message: 'gone', objects: [instance('a', '1')] });
  });

  it('knows the server time in a browser whose clock is wrong by hours', () => {
    const store = new LiveStore(0);
    store.receive({ type: 'tick', nowMs: 1_000 }, 7_201_000);
    expect(store.serverNow(7_202_000)).toBe(2_000);
  });

  it('calls the listeners of a topic only for that topic', () => {
    const store = new LiveStore(0);
    let calls = 0;
    store.onTopic('core/v1/pods', () => calls++);
    store.receive(snapshot('1'), 1_000);
    expect(calls).toBe(0);
  });
});
