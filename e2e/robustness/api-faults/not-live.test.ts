import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '@/lib/random/random';
import { Feed } from '@/server/live/feed';
import { openTopic } from '@/server/live/open-topic';
import { Pulse } from '@/server/live/pulse';
import { silentLog } from '@/server/log/log';
import { PASS, type ProxiedRequest, type ProxyFault } from '../proxy/fault';
import { type FaultyClient, startFaultyClient } from './faulty-client';
import { watchedConfigMap } from './watched';

const CONFIG_MAPS = { group: '', version: 'v1', resource: 'configmaps' } as const;
const HOLD: ProxyFault = { do: 'hold' };

/** What an open page says while the API server behind the console fails in each way that real ones do. */
describe('a page while the API server is down', () => {
  let client: FaultyClient;
  let namespace: string;
  let feed: Feed;
  let close: () => void;
  /** Since when the page was stale, each time it changed; undefined for live. */
  let staleTimes: (number | undefined)[];

  beforeAll(async () => {
    client = await startFaultyClient();
  });
  afterAll(() => client?.stop());

  beforeEach(async () => {
    namespace = await client.namespace();
  });
  afterEach(() => close?.());

  /** Opens the topic as the console does, and waits until it is live. */
  async function open(decide: (request: ProxiedRequest) => ProxyFault = () => PASS): Promise<void> {
    client.proxy.decide = decide;
    feed = new Feed('test', 'epoch', (object) => object);
    staleTimes = [];
    const { api, clock } = client;
    const options = { api, clock, random: seededRandom(namespace), log: silentLog, pulse: new Pulse(api, clock) };
    close = openTopic({ ...CONFIG_MAPS, namespace }, options)(feed);
    await client.until('it is live', () => !feed.isLoading && feed.staleSinceMs === undefined);
    feed.onChange(() => {
      if (feed.staleSinceMs !== staleTimes.at(-1)) staleTimes.push(feed.staleSinceMs);
    });
  }

  const isStale = () => feed.staleSinceMs !== undefined;
  const pass = (seconds: number) => {
    const endMs = client.clock.monotonic() + seconds * 1000;
    return client.until(`${seconds} s are over`, () => client.clock.monotonic() >= endMs);
  };
  const isLive = async () => {
    const { items } = await client.people.list({ ...CONFIG_MAPS, namespace });
    return feed.staleSinceMs === undefined && feed.size === items.length;
  };

  /** Another client changes something meanwhile; then the server answers again. */
  async function comesBack(): Promise<number> {
    await client.people.create({ ...CONFIG_MAPS, namespace }, watchedConfigMap('made-in-the-dark', 'x'));
    client.proxy.decide = () => PASS;
    return client.until('the page is live and complete', isLive);
  }

  it('says so within six seconds, once, when connections break and new ones are refused', async () => {
    await open();
    const cutMs = client.clock.now();
    client.proxy.decide = () => ({ do: 'reset' });
    client.proxy.sever();
    expect(await client.until('the page says that it is stale', isStale)).toBeLessThanOrEqual(6_000);
    expect(feed.staleSinceMs).toBeLessThan(cutMs + 1_000);
    await pass(60);
    expect(staleTimes).toHaveLength(1);
    expect(await comesBack()).toBeLessThanOrEqual(5_000);
  });

  it('says so within ten seconds when watches end normally and the next ones are not answered', async () => {
    let isAway = false;
    await open(({ isWatch }) => (isAway ? HOLD : isWatch ? { do: 'lines', count: 1 } : PASS));
    isAway = true;
    await client.people.create({ ...CONFIG_MAPS, namespace }, watchedConfigMap('last-words', 'x'));
    expect(await client.until('the page says that it is stale', isStale)).toBeLessThanOrEqual(10_000);
    await pass(40);
    expect(await comesBack()).toBeLessThanOrEqual(20_000);
  });

  it('says so within fifteen seconds when the server hangs with all its connections open', async () => {
    let isAway = false;
    await open(({ isWatch }) => (isAway ? HOLD : isWatch ? { do: 'limit', bytes: 0, how: 'silence' } : PASS));
    await pass(7);
    isAway = true;
    expect(await client.until('the page says that it is stale', isStale)).toBeLessThanOrEqual(15_000);
    await pass(20);
    expect(staleTimes).toHaveLength(1);
    expect(await comesBack()).toBeLessThanOrEqual(10_000);
  });

  it('stays live while only one request in many fails', async () => {
    let count = 0;
    await open(({ isWatch }) => (!isWatch && ++count % 3 === 0 ? { do: 'answer', status: 429, body: '' } : PASS));
    await pass(90);
    expect(staleTimes).toEqual([]);
  });
});
