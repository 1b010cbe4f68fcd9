import { describe, expect, it } from 'vitest';
import { sleep } from '@/lib/clock/clock';
import type { VirtualClock } from '@/lib/clock/virtual-clock';
import type { KubeObject } from '@/lib/kube/object';
import { seededRandom } from '@/lib/random/random';
import type { Api } from '@/server/kube/api';
import { scriptedApi, statusBody } from '@/server/kube/test-api';
import { silentLog } from '@/server/log/log';
import { LeaderLease } from './lease';

/** One lease on a server, and any number of controllers; `isAway` makes the server answer nothing but 503. */
function cluster() {
  let stored: KubeObject | undefined;
  let version = 0;
  const state = { isAway: false };
  const scripted = scriptedApi(({ method, body }) => {
    if (state.isAway) return { status: 503, body: statusBody(503, 'ServiceUnavailable') };
    if (method === 'GET')
      return stored === undefined ? { status: 404, body: statusBody(404, 'NotFound') } : { body: stored };
    const sent = JSON.parse(String(body)) as KubeObject;
    const isStale = method === 'PUT' && sent.metadata.resourceVersion !== stored?.metadata.resourceVersion;
    if (isStale || (method === 'POST' && stored !== undefined))
      return { status: 409, body: statusBody(409, 'Conflict') };
    version += 1;
    stored = { ...sent, metadata: { ...sent.metadata, resourceVersion: String(version) } };
    return { body: stored };
  });
  const join = (
    identity: string,
    isGone: (holder: string) => boolean = () => false,
    latency: Latency = { thereMs: 0, backMs: 0 },
    ready?: Promise<void>,
  ) => {
    const lease = new LeaderLease({
      api: slow(scripted.api, scripted.clock, latency),
      clock: scripted.clock,
      random: seededRandom(identity),
      log: silentLog,
      namespace: 'default',
      identity,
      isGone,
      ...(ready === undefined ? {} : { ready }),
      onChange: () => undefined,
    });
    lease.start();
    return lease;
  };
  return { ...scripted, state, join, holder: () => (stored?.spec as { holderIdentity?: string })?.holderIdentity };
}

interface Latency {
  readonly thereMs: number;
  readonly backMs: number;
}

/** An Api whose requests take their time on the way there, and answers on the way back. */
function slow(api: Api, clock: VirtualClock, { thereMs, backMs }: Latency): Api {
  const late = async <T>(call: () => Promise<T>): Promise<T> => {
    if (thereMs > 0) await sleep(clock, thereMs);
    const result = await call();
    if (backMs > 0) await sleep(clock, backMs);
    return result;
  };
  return {
    ...api,
    get: (...given) => late(() => api.get(...given)),
    create: (...given) => late(() => api.create(...given)),
    update: (...given) => late(() => api.update(...given)),
  };
}

async function pass(clock: VirtualClock, seconds: number): Promise<void> {
  for (let step = 0; step < seconds * 4; step++) await clock.advance(250);
}

/** A process that cannot act until `canAct` is called. */
function gate() {
  let canAct: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    canAct = resolve;
  });
  return { ready, canAct: () => canAct() };
}

/** A controller whose credentials may do these verbs with leases, and what it says of that. */
function withRights(...verbs: string[]) {
  const rights = new Set(verbs);
  const methods: { readonly [method: string]: string } = { GET: 'get', POST: 'create', PUT: 'update' };
  let stored: KubeObject | undefined;
  const { api, clock, requests } = scriptedApi(({ method, body }) => {
    const verb = methods[method] ?? method;
    if (!rights.has(verb)) return { status: 403, body: statusBody(403, 'Forbidden', `leases is forbidden: ${verb}`) };
    if (method === 'GET')
      return stored === undefined ? { status: 404, body: statusBody(404, 'NotFound') } : { body: stored };
    stored = JSON.parse(String(body)) as KubeObject;
    return { body: stored };
  });
  const said: string[] = [];
  const lease = new LeaderLease({
    api,
    clock,
    random: seededRandom('rights'),
    log: { ...silentLog, warn: (event: string) => void said.push(event) },
    namespace: 'default',
    identity: 'a',
    onChange: (leads) => void said.push(leads ? 'leads' : 'follows'),
    onLeaseRefused: (problem) => void said.push(problem ?? 'not refused any more'),
  });
  lease.start();
  return { lease, clock, requests, said, grant: (verb: string) => rights.add(verb) };
}

describe('LeaderLease without rights', () => {
  it('says once which verb is refused, and in which namespace', async () => {
    const { clock, said } = withRights('get');
    await pass(clock, 120);
    const words =
      'the controller may not create Lease bravo-controller in namespace default: leases is forbidden: create';
    expect(said).toEqual(['lease.not-renewed', words]);
  });

  it('tries less and less often, up to once a minute', async () => {
    const { clock, requests } = withRights();
    await pass(clock, 600);
    expect(requests.length).toBeLessThan(25);
    const before = requests.length;
    await pass(clock, 61);
    expect(requests.length).toBeGreaterThan(before);
  });

  it('takes the lease within a minute of being allowed to', async () => {
    const { clock, lease, said, grant } = withRights('get', 'update');
    await pass(clock, 600);
    grant('create');
    await pass(clock, 61);
    expect(lease.leads).toBe(true);
    expect(said.slice(-2)).toEqual(['not refused any more', 'leads']);
  });
});

describe('LeaderLease', () => {
  it('is held by one of two', async () => {
    const { clock, join } = cluster();
    const first = join('a');
    await pass(clock, 1);
    const second = join('b');
    await pass(clock, 60);
    expect([first.leads, second.leads]).toEqual([true, false]);
  });

  it('C09 is taken over when the holder has been silent for its whole time, by our own clock', async () => {
    const { clock, join, state } = cluster();
    const first = join('a');
    await pass(clock, 1);
    const silent = first.stop.bind(first);
    const second = join('b');
    await pass(clock, 5);
    // The first one vanishes without a word: its timers go, its record stays.
    (first as unknown as { stopper: AbortController }).stopper.abort();
    await pass(clock, 14);
    expect(second.leads).toBe(false);
    await pass(clock, 10);
    expect(second.leads).toBe(true);
    expect(state.isAway).toBe(false);
    await silent().catch(() => undefined);
  });

  it('C07 is handed over at once by one that stops', async () => {
    const { clock, join } = cluster();
    const first = join('a');
    await pass(clock, 1);
    const second = join('b');
    await pass(clock, 1);
    await first.stop();
    await pass(clock, 4);
    expect(second.leads).toBe(true);
  });

  it('is taken at once from a process that is known to be dead', async () => {
    const { clock, join, holder } = cluster();
    const first = join('a');
    await pass(clock, 1);
    (first as unknown as { stopper: AbortController }).stopper.abort();
    const second = join('b', (identity) => identity === 'a');
    await pass(clock, 1);
    expect([second.leads, holder()]).toEqual([true, 'b']);
  });

  it('is left to another one by a process that cannot act yet, and taken in the moment when it can', async () => {
    const { clock, join, holder } = cluster();
    const { ready, canAct } = gate();
    const waiting = join('a', undefined, undefined, ready);
    await pass(clock, 60);
    expect([waiting.leads, holder()]).toEqual([false, undefined]);
    const other = join('b');
    await pass(clock, 1);
    expect([other.leads, holder()]).toEqual([true, 'b']);
    canAct();
    await pass(clock, 30);
    expect([waiting.leads, other.leads]).toEqual([false, true]);
    await other.stop();
    await pass(clock, 4);
    expect(waiting.leads).toBe(true);
  });

  it('is read while a process cannot act yet, so that taking it costs one write then', async () => {
    const { clock, join, requests } = cluster();
    const first = join('a');
    await pass(clock, 1);
    (first as unknown as { stopper: AbortController }).stopper.abort();
    const { ready, canAct } = gate();
    const second = join('b', undefined, undefined, ready);
    await pass(clock, 60);
    const before = requests.length;
    canAct();
    await clock.advance(0);
    expect(second.leads).toBe(true);
    expect(requests.slice(before).map(({ method }) => method)).toEqual(['PUT']);
  });

  it('can be stopped while it waits until it may be taken', async () => {
    const { clock, join, holder } = cluster();
    const waiting = join('a', undefined, undefined, new Promise<void>(() => {}));
    await pass(clock, 1);
    await waiting.stop();
    expect([waiting.leads, holder()]).toEqual([false, undefined]);
  });

  it('C08 C10 gives up by itself when it cannot renew, before anybody else may begin', async () => {
    const { clock, join, state } = cluster();
    const first = join('a');
    await pass(clock, 1);
    state.isAway = true;
    await pass(clock, 9);
    await pass(clock, 2);
    expect(first.leads).toBe(false);
    state.isAway = false;
    await pass(clock, 5);
    expect(first.leads).toBe(true);
  });

  for (const latency of [
    { thereMs: 9_000, backMs: 0 },
    { thereMs: 0, backMs: 9_000 },
    { thereMs: 4_500, backMs: 4_500 },
    { thereMs: 14_000, backMs: 500 },
  ]) {
    it(`C10 never two lead when one of them needs ${latency.thereMs} ms there and ${latency.backMs} ms back`, async () => {
      const { clock, join } = cluster();
      const first = join('a', () => false, latency);
      await pass(clock, 12);
      const second = join('b');
      const led = new Set<string>();
      for (let step = 0; step < 4 * 300; step++) {
        await clock.advance(250);
        expect(first.leads && second.leads, `after ${step / 4} s`).toBe(false);
        if (first.leads) led.add('first');
        if (second.leads) led.add('second');
      }
      expect(led.size).toBeGreaterThan(0);
    });
  }
});
