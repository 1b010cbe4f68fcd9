import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorEvent, PASS, type ProxiedRequest, type ProxyFault, proxyStatus } from '../proxy/fault';
import { type FaultyClient, startFaultyClient } from './faulty-client';
import { Watched } from './watched';

const EXPIRED = 'The provided resource version is too old';
const HUGE = `${JSON.stringify({ type: 'ADDED', object: { kind: 'ConfigMap', data: 'x'.repeat(9 * 1024 * 1024) } })}\n`;

interface Row {
  readonly id: string;
  readonly says: string;
  /** What happens to the n-th watch, from 0. */
  readonly watch?: (n: number, request: ProxiedRequest) => ProxyFault;
  /** What happens to the n-th list, from 0. */
  readonly list?: (n: number, request: ProxiedRequest) => ProxyFault;
}

const first = (count: number, fault: ProxyFault) => (n: number) => (n < count ? fault : PASS);
const every = (step: number, fault: ProxyFault) => (n: number) => (n % step === 0 ? fault : PASS);
const limit = (bytes: number, how: 'break' | 'end' | 'silence'): ProxyFault => ({ do: 'limit', bytes, how });

const ROWS: readonly Row[] = [
  {
    id: 'A03',
    says: '429 to lists and watches',
    list: first(2, proxyStatus(429, 'TooManyRequests', 'slow down', { 'retry-after': '3' })),
    watch: every(2, proxyStatus(429, 'TooManyRequests', 'slow down', { 'retry-after': '3' })),
  },
  {
    id: 'A04',
    says: 'every second answer is 503',
    list: every(2, proxyStatus(503, 'ServiceUnavailable', 'not now')),
    watch: every(2, proxyStatus(503, 'ServiceUnavailable', 'not now')),
  },
  {
    id: 'A04',
    says: 'a page of HTML from a load balancer',
    list: every(2, { do: 'answer', status: 502, body: '<html>Bad Gateway</html>' }),
    watch: every(2, { do: 'answer', status: 502, body: '<html>Bad Gateway</html>' }),
  },
  {
    id: 'A05',
    says: 'the answer breaks off after some bytes',
    list: (n) => (n < 4 ? limit(40 * n, 'break') : PASS),
    watch: (n) => limit(97 * n, 'break'),
  },
  { id: 'A06', says: 'requests hang', list: first(1, { do: 'hold' }), watch: every(3, { do: 'hold' }) },
  { id: 'A09', says: '410 when a watch starts', watch: every(2, proxyStatus(410, 'Expired', EXPIRED)) },
  {
    id: 'A09',
    says: '410 inside a watch',
    watch: every(2, { do: 'prepend', text: errorEvent(410, 'Expired', EXPIRED) }),
  },
  {
    id: 'A09',
    says: '410 for a continue token',
    watch: every(2, proxyStatus(410, 'Expired', EXPIRED)),
    list: (_, { query }) =>
      query.has('continue')
        ? proxyStatus(410, 'Expired', EXPIRED)
        : query.has('limit')
          ? { do: 'pass', query: { limit: '2' } }
          : PASS,
  },
  { id: 'A10', says: 'watches end cleanly after a few bytes', watch: (n) => limit(211 * (n + 1), 'end') },
  { id: 'A10', says: 'watches end cleanly at once', watch: every(2, limit(0, 'end')) },
  { id: 'A11', says: 'a watch is silent from its start', watch: first(2, limit(0, 'silence')) },
  { id: 'A12', says: 'a watch falls silent while writes go on', watch: (n) => (n < 3 ? limit(500, 'silence') : PASS) },
  {
    id: 'A15',
    says: 'an event of more than 8 MiB',
    watch: every(2, { do: 'limit', bytes: 10 * 1024 * 1024, how: 'break', first: HUGE }),
  },
  { id: 'A16', says: 'a line that is no JSON', watch: every(2, { do: 'prepend', text: 'not JSON\n' }) },
  {
    id: 'A16',
    says: 'an event of no known type',
    watch: every(2, { do: 'prepend', text: '{"type":"SURPRISE","object":{}}\n' }),
  },
  {
    id: 'A21',
    says: 'a server without bookmarks, timeouts and pages',
    watch: () => ({ do: 'pass', query: { allowWatchBookmarks: '', timeoutSeconds: '' } }),
    list: () => ({ do: 'pass', query: { limit: '' } }),
  },
];

describe('a watched copy while the API fails', () => {
  let client: FaultyClient;
  beforeAll(async () => {
    client = await startFaultyClient();
  });
  afterAll(() => client?.stop());

  /** Applies the faults of a row, which counts the lists and watches from now on. */
  const inForce = ({ watch = () => PASS, list = () => PASS }: Pick<Row, 'watch' | 'list'>) => {
    const counts = { watches: 0, lists: 0 };
    client.proxy.decide = (request) => {
      if (!request.path.endsWith('/configmaps')) return PASS;
      return request.isWatch ? watch(counts.watches++, request) : list(counts.lists++, request);
    };
    return counts;
  };

  for (const row of ROWS) {
    it(`${row.id}: ${row.says}: the copy becomes what the API lists, and reports each change once`, async () => {
      const watched = new Watched(client, await client.namespace());
      inForce(row);
      for (let round = 0; round < 4; round++) {
        for (let write = 0; write < 3; write++) await watched.write();
        await watched.converges();
      }
      expect(watched.problems).toEqual([]);
      await watched.stop();
    });
  }

  it('A11 A12: the copy has what a silent watch did not send within 75 s', async () => {
    const watched = new Watched(client, await client.namespace());
    let silent = false;
    inForce({ watch: () => (silent ? PASS : limit(1, 'silence')) });
    await watched.converges();
    silent = true;
    await watched.write();
    expect(await watched.converges()).toBeLessThanOrEqual(75_000);
    await watched.stop();
  });

  for (const [id, what, fault] of [
    ['A09', 'answers 410 to every watch', proxyStatus(410, 'Expired', EXPIRED)],
    ['A16', 'sends no JSON in every watch', { do: 'prepend', text: 'not JSON\n' }],
    ['A08', 'forbids every watch', proxyStatus(403, 'Forbidden', 'not allowed')],
  ] as const) {
    it(`${id}: a server that ${what} is requested with backoff`, async () => {
      const watched = new Watched(client, await client.namespace());
      const counts = inForce({ watch: () => fault });
      const startedMs = client.clock.monotonic();
      await client.until('five minutes are over', () => client.clock.monotonic() - startedMs > 5 * 60_000);
      expect(counts.watches).toBeGreaterThan(5);
      expect(counts.watches + counts.lists).toBeLessThan(60);
      expect(watched.cache.problem).toBeDefined();
      await watched.stop();
    });
  }

  it('A04: after an outage of two minutes a copy is live again within 4 s, after few requests', async () => {
    const watched = new Watched(client, await client.namespace());
    const counts = inForce({});
    await watched.converges();
    let asked = 0;
    client.proxy.decide = () => {
      asked += 1;
      return { do: 'reset' };
    };
    client.proxy.sever();
    const startedMs = client.clock.monotonic();
    await client.until('two minutes are over', () => client.clock.monotonic() - startedMs > 2 * 60_000);
    expect(watched.cache.staleSinceMs).toBeDefined();
    expect(asked).toBeLessThan(120);
    inForce({});
    await watched.write();
    expect(await client.until('it is live', () => watched.cache.staleSinceMs === undefined)).toBeLessThan(4_000);
    await watched.converges();
    expect(watched.problems).toEqual([]);
    expect(counts.lists).toBeGreaterThan(0);
    await watched.stop();
  });

  it('A06 A11: a copy whose watch is never answered says that it may be behind', async () => {
    const watched = new Watched(client, await client.namespace());
    const counts = inForce({ watch: () => ({ do: 'hold' }) });
    await client.until('two watches were requested in vain', () => counts.watches > 2);
    expect(watched.cache.staleSinceMs).toBeDefined();
    inForce({});
    await client.until('it is live again', () => watched.cache.staleSinceMs === undefined);
    await watched.stop();
  });

  const closes = Number(process.env.BRAVO_CLOSES ?? 100);
  it(`A10: ${closes} normal ends of a watch lose no event, report none twice, and list once`, async () => {
    const watched = new Watched(client, await client.namespace());
    const counts = inForce({ watch: () => ({ do: 'lines', count: 1 }) });
    await watched.converges();
    while (counts.watches < closes) {
      await watched.write();
      await watched.converges();
    }
    expect(watched.problems).toEqual([]);
    expect(counts.lists).toBe(1);
    await watched.stop();
  });
});
