import { describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import type { KubeObject } from '@/lib/kube/object';
import type { ControllerWord, LiveFrame } from '@/lib/live/frames';
import { type Topic, topics } from '@/lib/live/topic';
import { seededRandom } from '@/lib/random/random';
import type { FeedEvents } from './feed';
import { LiveHub } from './hub';
import { openLiveStream } from './stream';

function instance(name: string, resourceVersion: string): KubeObject {
  return { apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', metadata: { namespace: 'demo', name, resourceVersion } };
}

function setUp(seed = 'stream') {
  const clock = new VirtualClock();
  const opened: FeedEvents[] = [];
  let closed = 0;
  const hub = new LiveHub({
    clock,
    random: seededRandom(seed),
    present: (object) => object,
    open: () => (feed) => {
      opened.push(feed);
      return () => {
        closed++;
      };
    },
  });
  const controller: { state: ControllerWord } = { state: 'running' };
  const abort = new AbortController();
  const open = (cursor?: string, topic: Topic = topics.instances) =>
    openLiveStream({
      hub,
      clock,
      version: 'test',
      view: '',
      controllerState: () => controller.state,
      signal: abort.signal,
      subscriptions: [{ topic, cursor }],
    });
  return { clock, hub, opened, abort, controller, open, closedCount: () => closed };
}

const decoder = new TextDecoder();

function framesOf(chunk: Uint8Array | undefined): LiveFrame[] {
  const text = decoder.decode(chunk);
  return [...text.matchAll(/^data: (.*)$/gm)].map((match) => JSON.parse(match[1] ?? '') as LiveFrame);
}

describe('openLiveStream', () => {
  it('sends hello, then the snapshot when the first list was read', async () => {
    const { clock, opened, open } = setUp();
    const reader = open().getReader();
    expect(framesOf((await reader.read()).value)).toMatchObject([
      { type: 'hello', version: 'test' },
      { type: 'controller', state: 'running' },
    ]);
    const next = reader.read();
    opened[0]?.ready([instance('a', '1')]);
    await clock.advance(60);
    expect(framesOf((await next).value)).toMatchObject([{ type: 'snapshot', objects: [instance('a', '1')] }]);
  });

  it('sends the beginning of rows whose list is still being read, and then all of them', async () => {
    const { clock, opened, open } = setUp();
    const reader = open(undefined, topics.instanceRows).getReader();
    await reader.read();
    const part = reader.read();
    opened[0]?.part([instance('a', '1')], 3);
    await clock.advance(60);
    const [beginning, ...others] = framesOf((await part).value);
    expect(beginning).toMatchObject({ type: 'snapshot', objects: [instance('a', '1')], total: 3, read: 1 });
    expect(beginning).not.toHaveProperty('cursor');
    expect(others).toEqual([]);
    const whole = reader.read();
    opened[0]?.ready(['a', 'b', 'c'].map((name) => instance(name, '1')));
    await clock.advance(60);
    const [all] = framesOf((await whole).value);
    expect(all).toMatchObject({ type: 'snapshot', cursor: expect.any(String) });
    expect(all?.type === 'snapshot' && all.objects.length).toBe(3);
    expect(all).not.toHaveProperty('total');
  });

  it('reports within a tick that the controller ended, once', async () => {
    const { clock, controller, open } = setUp();
    const reader = open().getReader();
    await reader.read();
    controller.state = 'failed';
    const next = reader.read();
    await clock.advance(15_100);
    expect(framesOf((await next).value)).toEqual([{ type: 'controller', state: 'failed' }]);
    const tick = reader.read();
    await clock.advance(15_100);
    expect(framesOf((await tick).value)).toMatchObject([{ type: 'tick' }]);
  });

  it('sends the first change at once and merges what follows within 50 ms', async () => {
    const { clock, opened, open } = setUp();
    const reader = open().getReader();
    await reader.read();
    const snapshot = reader.read();
    opened[0]?.ready([]);
    await clock.advance(1_000);
    await snapshot;
    const first = reader.read();
    opened[0]?.changed(instance('a', '2'));
    await clock.advance(0);
    expect(framesOf((await first).value)).toMatchObject([{ changed: [instance('a', '2')] }]);
    const second = reader.read();
    opened[0]?.changed(instance('a', '3'));
    await clock.advance(20);
    opened[0]?.changed(instance('b', '4'));
    await clock.advance(60);
    expect(framesOf((await second).value)).toMatchObject([{ changed: [instance('a', '3'), instance('b', '4')] }]);
  });

  it('reports to a client that comes back whether the topic is stale, once that is known', async () => {
    const { clock, opened, open } = setUp();
    const staleOf = (chunk: Uint8Array | undefined) => framesOf(chunk).filter(({ type }) => type === 'stale');
    const first = open('other.1').getReader();
    expect(staleOf((await first.read()).value)).toEqual([]);
    const ready = first.read();
    opened[0]?.ready([instance('a', '1')]);
    await clock.advance(60);
    const frames = framesOf((await ready).value);
    expect(frames.filter(({ type }) => type === 'stale')).toEqual([{ type: 'stale', topic: expect.any(String) }]);
    const cursor = frames.flatMap((frame) => (frame.type === 'snapshot' ? (frame.cursor ?? []) : []))[0];
    opened[0]?.stale(42);
    expect(staleOf((await open(cursor).getReader().read()).value)).toMatchObject([{ sinceMs: 42 }]);
    opened[0]?.stale(undefined);
    expect(staleOf((await open(cursor).getReader().read()).value)).toEqual([
      { type: 'stale', topic: expect.any(String) },
    ]);
    expect(staleOf((await open().getReader().read()).value)).toEqual([]);
  });

  it('ticks when nothing happens', async () => {
    const { clock, open } = setUp();
    const reader = open().getReader();
    await reader.read();
    const next = reader.read();
    await clock.advance(16_000);
    expect(framesOf((await next).value)).toMatchObject([{ type: 'tick' }]);
  });

  it('queues nothing for a reader that pauses', async () => {
    const { clock, opened, open } = setUp();
    const reader = open().getReader();
    await reader.read();
    opened[0]?.ready([]);
    await clock.advance(60);
    for (let version = 1; version <= 1_000; version++) opened[0]?.changed(instance('a', String(version)));
    await clock.advance(1_000);
    const frames = [...framesOf((await reader.read()).value), ...framesOf((await reader.read()).value)];
    expect(frames.length).toBeLessThanOrEqual(2);
    expect(frames.at(-1)).toMatchObject({ changed: [instance('a', '1000')] });
  });

  it('ends with the request, and the watch of the topic ends 15 s later', async () => {
    const { clock, opened, abort, open, closedCount } = setUp();
    const reader = open().getReader();
    await reader.read();
    opened[0]?.ready([]);
    await clock.advance(60);
    await reader.read();
    const end = reader.read();
    abort.abort();
    await clock.advance(60);
    expect((await end).done).toBe(true);
    expect(closedCount()).toBe(0);
    await clock.advance(15_000);
    expect(closedCount()).toBe(1);
  });

  it('ends when the process ends, and after five minutes', async () => {
    const first = setUp();
    const reader = first.open().getReader();
    await reader.read();
    const end = reader.read();
    first.hub.close();
    await first.clock.advance(60);
    expect(framesOf((await end).value)).toMatchObject([{ type: 'resume' }]);
    expect((await reader.read()).done).toBe(true);

    const second = setUp();
    const old = second.open().getReader();
    let reads = 0;
    let last = await old.read();
    while (!last.done && reads++ < 100) {
      const next = old.read();
      await second.clock.advance(15_100);
      last = await next;
    }
    expect(last.done).toBe(true);
  });
});

describe('a server that is being stopped', () => {
  it('tells each stream when to come back, within a second, and says so to clients that know no such frame', async () => {
    const { hub, open, clock } = setUp();
    const reader = open().getReader();
    await reader.read();
    const end = reader.read();
    hub.endStreams();
    await clock.advance(60);
    const text = decoder.decode((await end).value);
    const afterMs = Number(/^retry: (\d+)$/m.exec(text)?.[1]);
    expect(afterMs).toBeLessThan(1_000);
    expect(text).toContain(`data: {"type":"resume","afterMs":${afterMs}}`);
  });

  it('sends away a stream that is opened too late', async () => {
    const { hub, open } = setUp();
    hub.endStreams();
    const reader = open().getReader();
    expect(framesOf((await reader.read()).value)).toMatchObject([{ type: 'resume' }]);
    expect((await reader.read()).done).toBe(true);
  });

  it('gives a client that comes with the cursor of another server everything', async () => {
    const [before, after] = [setUp('one server'), setUp('another server')];
    const old = before.open().getReader();
    await old.read();
    const read = old.read();
    before.opened[0]?.ready([instance('a', '1')]);
    await before.clock.advance(60);
    const [frame] = framesOf((await read).value);
    const cursor = frame !== undefined && 'cursor' in frame ? frame.cursor : undefined;
    expect(cursor).toBeDefined();

    after.hub.acquire(topics.instances);
    after.opened[0]?.ready([instance('a', '2'), instance('b', '3')]);
    const next = after.open(cursor).getReader();
    const frames = framesOf((await next.read()).value);
    expect(frames.find(({ type }) => type === 'snapshot')).toMatchObject({
      objects: [{ metadata: { resourceVersion: '2' } }, { metadata: { resourceVersion: '3' } }],
    });
  });
});

describe('LiveHub.seed', () => {
  it('gives the state of a topic as the stream would', async () => {
    const { clock, hub, opened } = setUp();
    const seed = hub.seed([topics.instances]);
    opened[0]?.ready([instance('a', '1')]);
    await clock.advance(10);
    expect(await seed).toMatchObject([{ type: 'snapshot', topic: 'kudo.dev/v1beta1/instances' }]);
  });

  it('leaves out a topic whose first list takes too long', async () => {
    const { clock, hub } = setUp();
    const seed = hub.seed([topics.instances]);
    await clock.advance(2_100);
    expect(await seed).toEqual([]);
  });
});
