import { beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import type { KubeObject } from '@/lib/kube/object';
import { formatTopic, type Topic, topics } from '@/lib/live/topic';
import { seededRandom } from '@/lib/random/random';
import type { FeedEvents } from './feed';
import { LiveHub } from './hub';
import { PersonHub } from './person-hub';
import type { ReadRights } from './read-rights';

function instance(namespace: string, name: string, resourceVersion = '1'): KubeObject {
  return { apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', metadata: { namespace, name, resourceVersion } };
}

function namespace(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, resourceVersion: '1' } };
}

/** Rights that the test sets: namespaces that may be read, and those that are not known yet. */
class GivenRights implements ReadRights {
  readonly user = 'jo';
  all: boolean | undefined = false;
  readable: string[] = [];
  unknown: string[] = [];
  private readonly listeners = new Set<() => void>();

  mayReadAll(): boolean | undefined {
    return this.all;
  }

  mayRead(_type: unknown, name: string): boolean | undefined {
    return this.unknown.includes(name) ? undefined : this.readable.includes(name);
  }

  maySee(name: string): boolean | undefined {
    return this.mayRead(undefined, name);
  }

  follow(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  set(change: Partial<Pick<GivenRights, 'all' | 'readable' | 'unknown'>>): void {
    Object.assign(this, change);
    for (const listener of [...this.listeners]) listener();
  }
}

function hubOf(opened: Map<string, FeedEvents>, clock: VirtualClock): LiveHub {
  return new LiveHub({
    clock,
    random: seededRandom('shared'),
    present: (object) => object,
    open: (topic) => (feed) => {
      opened.set(formatTopic(topic), feed);
      return () => opened.delete(formatTopic(topic));
    },
  });
}

function setUp() {
  const clock = new VirtualClock();
  const rights = new GivenRights();
  const upstream = new Map<string, FeedEvents>();
  const personal = new Map<string, FeedEvents>();
  const person = new PersonHub({
    rights,
    shared: hubOf(upstream, clock),
    openPersonal: () => hubOf(personal, clock),
    clock,
    random: seededRandom('person'),
  });
  const read = (topic: Topic = topics.instances) => person.acquire(topic).feed;
  const instances = () => upstream.get('kudo.dev/v1beta1/instances');
  const namespaces = () => upstream.get('core/v1/namespaces');
  return { clock, rights, upstream, personal, person, read, instances, namespaces };
}

function names(frame: ReturnType<ReturnType<PersonHub['acquire']>['feed']['since']>): unknown {
  if (frame?.type === 'snapshot') return frame.objects.map(({ metadata }) => metadata.name);
  if (frame?.type === 'delta')
    return {
      changed: frame.changed.map(({ metadata }) => metadata.name),
      deleted: frame.deleted.map(({ name }) => name),
    };
  return frame;
}

const cursorOf = (frame: unknown) => (frame as { cursor: string }).cursor;

describe('ReadableFeed', () => {
  let test: ReturnType<typeof setUp>;

  beforeEach(() => {
    test = setUp();
  });

  it('has only objects of the namespaces that the person may read', () => {
    test.rights.readable = ['demo'];
    const feed = test.read();
    test.instances()?.ready([instance('demo', 'a'), instance('shop', 'b')]);
    expect(names(feed.since(undefined, 0))).toEqual(['a']);
  });

  it('sends no change and no deletion of another namespace', () => {
    test.rights.readable = ['demo'];
    const feed = test.read();
    test.instances()?.ready([instance('demo', 'a'), instance('shop', 'b')]);
    const cursor = cursorOf(feed.since(undefined, 0));
    test.instances()?.changed(instance('shop', 'b', '2'));
    test.instances()?.changed(instance('shop', 'c'));
    test.instances()?.deleted(instance('shop', 'b', '3'));
    expect(feed.since(cursor, 0)).toBeUndefined();
    test.instances()?.changed(instance('demo', 'a', '2'));
    expect(names(feed.since(cursor, 0))).toEqual({ changed: ['a'], deleted: [] });
  });

  it('sends a granted namespace as additions and a withdrawn one as removals, to the same cursor', () => {
    test.rights.readable = ['demo'];
    const feed = test.read();
    test.instances()?.ready([instance('demo', 'a'), instance('shop', 'b')]);
    const first = feed.since(undefined, 0);
    test.rights.set({ readable: ['demo', 'shop'] });
    const granted = feed.since(cursorOf(first), 0);
    expect(names(granted)).toEqual({ changed: ['b'], deleted: [] });
    test.rights.set({ readable: ['shop'] });
    expect(names(feed.since(cursorOf(granted), 0))).toEqual({ changed: [], deleted: ['a'] });
  });

  it('wakes the stream when rights change', () => {
    test.rights.readable = ['demo'];
    const feed = test.read();
    test.instances()?.ready([instance('demo', 'a'), instance('shop', 'b')]);
    let woken = 0;
    feed.onChange(() => {
      woken++;
    });
    test.rights.set({ readable: ['demo', 'shop'] });
    expect(woken).toBeGreaterThan(0);
  });

  it('says forbidden to a person who may read no namespace, and shows the first one that is granted', () => {
    const feed = test.read();
    test.instances()?.ready([instance('demo', 'a')]);
    test.namespaces()?.ready([namespace('demo'), namespace('shop')]);
    expect(feed.since(undefined, 0)).toMatchObject({ type: 'problem', problem: { status: 'forbidden' } });
    test.rights.set({ readable: ['demo'] });
    expect(names(feed.since('problem', 0))).toEqual(['a']);
  });

  it('is empty for a person who may read a namespace without objects', () => {
    test.rights.readable = ['shop'];
    const feed = test.read();
    test.instances()?.ready([]);
    test.namespaces()?.ready([namespace('demo'), namespace('shop')]);
    expect(names(feed.since(undefined, 0))).toEqual([]);
  });

  it('says forbidden when the last namespace is withdrawn, and keeps none of its objects', () => {
    test.rights.readable = ['demo'];
    const feed = test.read();
    test.namespaces();
    test.instances()?.ready([instance('demo', 'a')]);
    const cursor = cursorOf(feed.since(undefined, 0));
    test.rights.set({ readable: [] });
    test.namespaces()?.ready([namespace('demo')]);
    expect(feed.since(cursor, 0)).toMatchObject({ type: 'problem', problem: { status: 'forbidden' } });
    expect(feed.size).toBe(0);
  });

  it('is the shared feed for a person who may read everything, and another one when that is withdrawn', () => {
    test.rights.all = true;
    const feed = test.read();
    test.instances()?.ready([instance('demo', 'a'), instance('shop', 'b')]);
    const all = feed.since(undefined, 0);
    expect(names(all)).toEqual(['a', 'b']);
    test.rights.set({ all: false, readable: ['demo'] });
    expect(names(feed.since(cursorOf(all), 0))).toEqual(['a']);
  });

  it('asks the API for nothing in a namespace that the person may not read', () => {
    const feed = test.read({ ...topics.instances, namespace: 'demo' });
    expect(test.upstream.size).toBe(0);
    expect(feed.since(undefined, 0)).toMatchObject({
      problem: {
        message:
          'instances.kudo.dev is forbidden: User "jo" cannot list resource "instances" in API group "kudo.dev" in the namespace "demo"',
      },
    });
  });

  it('shows nothing before the rights are known', () => {
    test.rights.all = undefined;
    const feed = test.read();
    expect(test.upstream.size).toBe(0);
    expect(feed.isLoading).toBe(true);
    test.rights.set({ all: true });
    test.instances()?.ready([instance('demo', 'a')]);
    expect(names(feed.since(undefined, 0))).toEqual(['a']);
  });

  it('waits a second for namespaces that are not known yet, and begins with what is known then', async () => {
    test.rights.readable = ['demo'];
    test.rights.unknown = ['shop'];
    const feed = test.read();
    test.instances()?.ready([instance('demo', 'a'), instance('shop', 'b')]);
    expect(feed.isLoading).toBe(true);
    await test.clock.advance(1_001);
    const first = feed.since(undefined, 0);
    expect(names(first)).toEqual(['a']);
    test.rights.set({ unknown: [], readable: ['demo', 'shop'] });
    expect(names(feed.since(cursorOf(first), 0))).toEqual({ changed: ['b'], deleted: [] });
  });

  it('shows nothing when rights that were known cannot be found out any more', () => {
    test.rights.all = true;
    const feed = test.read();
    test.instances()?.ready([instance('demo', 'a')]);
    test.rights.set({ all: undefined });
    expect(feed.since(undefined, 0)).toMatchObject({ problem: { status: 'failed' } });
    expect(feed.size).toBe(0);
  });

  it('reads with the own authority of the person what the account of the console may not read', () => {
    test.rights.readable = ['demo'];
    const feed = test.read({ ...topics.instances, namespace: 'demo' });
    test.upstream.get('kudo.dev/v1beta1/instances@demo')?.problem({ status: 'forbidden', message: 'no' });
    test.personal.get('kudo.dev/v1beta1/instances@demo')?.ready([instance('demo', 'a')]);
    expect(names(feed.since(undefined, 0))).toEqual(['a']);
  });

  it('shows the namespaces in which the person may read operators', () => {
    test.rights.readable = ['demo'];
    const feed = test.read(topics.namespaces);
    test.namespaces()?.ready([namespace('demo'), namespace('shop')]);
    expect(names(feed.since(undefined, 0))).toEqual(['demo']);
  });

  it('never shows an object of the cluster to a person who may not list it', () => {
    test.rights.readable = ['demo'];
    const feed = test.read(topics.crds);
    const crd = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'x' } };
    test.upstream.get(formatTopic(topics.crds))?.ready([crd]);
    expect(feed.size).toBe(0);
  });

  it('passes on that the watch is stale', () => {
    test.rights.readable = ['demo'];
    const feed = test.read();
    test.instances()?.ready([instance('demo', 'a')]);
    test.instances()?.stale(5);
    expect(feed.staleSinceMs).toBe(5);
  });
});

describe('PersonHub', () => {
  it('shares one watch between persons and streams, and ends it after the last reader', async () => {
    const { clock, rights, upstream, person } = setUp();
    rights.readable = ['demo'];
    const [one, two] = [person.acquire(topics.instances), person.acquire(topics.instances)];
    expect(one.feed).toBe(two.feed);
    expect([...upstream.keys()]).toEqual(['kudo.dev/v1beta1/instances']);
    upstream.get('kudo.dev/v1beta1/instances')?.ready([instance('demo', 'a')]);
    one.release();
    two.release();
    await clock.advance(31_000);
    expect(upstream.size).toBe(0);
    expect(person.isIdle).toBe(true);
  });
});
