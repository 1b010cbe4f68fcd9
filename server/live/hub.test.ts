import { describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import type { KubeObject } from '@/lib/kube/object';
import { formatTopic, type Topic, topics } from '@/lib/live/topic';
import { seededRandom } from '@/lib/random/random';
import type { FeedEvents } from './feed';
import { LiveHub } from './hub';

const MAPS: Topic = { group: '', version: 'v1', resource: 'configmaps', namespace: 'demo' };

function map(name: string, resourceVersion = '1'): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'demo', name, resourceVersion },
    data: { a: 'b' },
  };
}

/** A hub whose watches are in the test's hands, by topic. */
function setUp() {
  const opened = new Map<string, FeedEvents>();
  const clock = new VirtualClock();
  const hub = new LiveHub({
    clock,
    random: seededRandom('hub'),
    present: (object) => object,
    order: ({ metadata }) => (metadata.name === 'm-399' ? 0 : 1),
    open: (topic) => (feed) => {
      opened.set(formatTopic(topic), feed);
      return () => opened.delete(formatTopic(topic));
    },
  });
  return { hub, opened, clock };
}

describe('LiveHub', () => {
  it('feeds rows and single objects from the watch of the whole topic', () => {
    const { hub, opened } = setUp();
    const rows = hub.acquire({ ...MAPS, view: 'rows' }).feed;
    const one = hub.acquire({ ...MAPS, name: 'a' }).feed;
    expect([...opened.keys()]).toEqual(['core/v1/configmaps@demo']);
    opened.get('core/v1/configmaps@demo')?.ready([map('a'), map('b')]);
    expect(rows.snapshot(0).objects.map(({ data }) => data)).toEqual([undefined, undefined]);
    expect(one.snapshot(0).objects).toEqual([map('a')]);
  });

  it('watches a topic for 15 s after its last reader, and longer when its list is large', async () => {
    const { hub, opened, clock } = setUp();
    const read = (objects: number) => {
      const { release } = hub.acquire({ ...MAPS, name: 'm-1' });
      opened.get('core/v1/configmaps@demo')?.ready(Array.from({ length: objects }, (_, index) => map(`m-${index}`)));
      release();
    };
    read(1_000);
    await clock.advance(15_100);
    expect(opened.size).toBe(0);
    read(3_000);
    await clock.advance(34_900);
    expect(opened.size).toBe(1);
    await clock.advance(200);
    expect(opened.size).toBe(0);
  });

  it('watches PlanRuns for themselves: one of them, or their rows, which feed those of an Instance', () => {
    const { hub, opened } = setUp();
    hub.acquire({ ...topics.planRuns, namespace: 'demo', name: 'pg-deploy-1' });
    const part = hub.acquire(topics.planRunRowsOf('demo', 'pg')).feed;
    const rows = 'bravo.kudo.dev/v1alpha1/planruns@demo!rows';
    expect([...opened.keys()]).toEqual(['bravo.kudo.dev/v1alpha1/planruns@demo=pg-deploy-1', rows]);
    const run = (name: string, instanceName: string): KubeObject => ({
      apiVersion: 'bravo.kudo.dev/v1alpha1',
      kind: 'PlanRun',
      metadata: { namespace: 'demo', name, resourceVersion: '1', labels: { a: 'b' } },
      spec: { instanceName },
      status: { status: 'COMPLETE', phases: [] },
    });
    opened.get(rows)?.ready([run('pg-deploy-1', 'pg'), run('other-deploy-1', 'other')]);
    expect(part.snapshot(0).objects).toEqual([
      {
        ...run('pg-deploy-1', 'pg'),
        metadata: { namespace: 'demo', name: 'pg-deploy-1', resourceVersion: '1' },
        status: { status: 'COMPLETE' },
      },
    ]);
  });

  it('passes changes, deletes, problems and staleness on to the parts', () => {
    const { hub, opened } = setUp();
    const one = hub.acquire({ ...MAPS, name: 'a' }).feed;
    const events = opened.get('core/v1/configmaps@demo');
    events?.ready([map('a'), map('b')]);
    const cursor = one.snapshot(0).cursor;
    events?.changed(map('b', '2'));
    expect(one.since(cursor, 0)).toBeUndefined();
    events?.changed(map('a', '3'));
    expect(one.since(cursor, 0)).toMatchObject({ type: 'delta', changed: [map('a', '3')] });
    events?.deleted(map('a', '4'));
    expect(one.since(cursor, 0)).toMatchObject({ type: 'delta', deleted: [{ namespace: 'demo', name: 'a' }] });
    events?.stale(5);
    expect(one.staleSinceMs).toBe(5);
    events?.problem({ status: 'forbidden', message: 'no' });
    expect(one.since(undefined, 0)).toMatchObject({ type: 'problem', problem: { status: 'forbidden' } });
  });

  it('feeds a page of an Instance with what belongs to it, and lets go what loses the label', () => {
    const { hub, opened } = setUp();
    const labelled = (name: string, instance: string, version: string): KubeObject => {
      const plain = map(name, version);
      return { ...plain, metadata: { ...plain.metadata, labels: { 'kudo.dev/instance': instance } } };
    };
    const part = hub.acquire({ ...MAPS, of: ['orders'] }).feed;
    const events = opened.get('core/v1/configmaps@demo');
    events?.ready([labelled('a', 'orders', '1'), labelled('b', 'other', '1')]);
    const { cursor, objects } = part.snapshot(0);
    expect(objects).toEqual([labelled('a', 'orders', '1')]);
    events?.changed(labelled('b', 'other', '2'));
    events?.deleted(labelled('b', 'other', '3'));
    expect(part.since(cursor, 0)).toBeUndefined();
    events?.changed(map('a', '4'));
    expect(part.since(cursor, 0)).toMatchObject({ deleted: [{ namespace: 'demo', name: 'a' }] });
  });

  it('feeds the tree of an Instance with its label, and with what has an owner and no label, without any content', () => {
    const { hub, opened } = setUp();
    const tree = hub.acquire({ ...MAPS, of: ['orders'], view: 'tree' }).feed;
    const labelled = (name: string, instance: string): KubeObject => {
      const { metadata, ...rest } = map(name);
      return { ...rest, metadata: { ...metadata, labels: { 'kudo.dev/instance': instance, other: 'x' } } };
    };
    const owner = { apiVersion: 'x.io/v1', kind: 'Cluster', name: 'pg', uid: 'u', controller: true };
    const owned = { ...map('owned'), metadata: { ...map('owned').metadata, ownerReferences: [owner] } };
    const all = [labelled('ours', 'orders'), labelled('theirs', 'other'), owned, map('alone')];
    opened.get('core/v1/configmaps@demo')?.ready(all);
    const rows = tree.snapshot(0).objects;
    expect(rows.map(({ metadata }) => metadata.name)).toEqual(['ours', 'owned']);
    expect(rows[0]).toMatchObject({
      health: { state: 'healthy' },
      metadata: { labels: { 'kudo.dev/instance': 'orders' } },
    });
    expect(rows[1]?.metadata.ownerReferences).toEqual([owner]);
    expect(rows.some((row) => 'data' in row)).toBe(false);
    expect(rows[0]?.metadata.labels).not.toHaveProperty('other');
  });

  it('gives a part that comes late what is known already', () => {
    const { hub, opened } = setUp();
    hub.acquire(MAPS);
    opened.get('core/v1/configmaps@demo')?.ready([map('a')]);
    expect(hub.acquire({ ...MAPS, view: 'rows' }).feed.size).toBe(1);
  });

  it('renders a page with the part of a long list that is known after a moment, and without a list of which nothing is', async () => {
    const { hub, opened, clock } = setUp();
    const rows: Topic = { ...MAPS, view: 'rows' };
    const seed = hub.seed([rows]);
    opened.get('core/v1/configmaps@demo')?.part(
      Array.from({ length: 250 }, (_, at) => map(`m-${at}`)),
      900,
    );
    await clock.advance(310);
    expect(await seed).toMatchObject([{ type: 'snapshot', topic: formatTopic(rows), total: 900, read: 250 }]);
    const whole = hub.seed([MAPS]);
    await clock.advance(2_100);
    expect(await whole).toEqual([]);
  });

  it('waits for what a page can do without only for a moment', async () => {
    const { hub, opened, clock } = setUp();
    const other: Topic = { ...MAPS, resource: 'secrets' };
    const seed = hub.seed([MAPS], [other]);
    opened.get('core/v1/configmaps@demo')?.ready([map('a')]);
    await clock.advance(310);
    expect(await seed).toMatchObject([{ type: 'snapshot', topic: formatTopic(MAPS) }]);
    const later = hub.seed([MAPS], [other]);
    opened.get('core/v1/secrets@demo')?.ready([]);
    expect((await later).length).toBe(2);
  });

  it('renders pages with the first hundred of very many rows, what matters first, and with nothing of very many objects', async () => {
    const { hub, opened } = setUp();
    hub.acquire(MAPS);
    opened.get('core/v1/configmaps@demo')?.ready(Array.from({ length: 400 }, (_, at) => map(`m-${at}`)));
    const [frame] = await hub.seed([{ ...MAPS, view: 'rows' }]);
    expect(frame).toMatchObject({ type: 'snapshot', total: 400 });
    expect(frame?.type === 'snapshot' && frame.cursor).toBeUndefined();
    expect(frame?.type === 'snapshot' && frame.objects.length).toBe(100);
    expect(frame?.type === 'snapshot' && frame.objects[0]?.metadata.name).toBe('m-399');
    expect(await hub.seed([MAPS])).toEqual([]);
  });
});
