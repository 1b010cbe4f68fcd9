import { describe, expect, it } from 'vitest';
import type { VirtualClock } from '@/lib/clock/virtual-clock';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { LEASE_NAME } from '@/lib/kudo/installation/names';
import { seededRandom } from '@/lib/random/random';
import { scriptedApi, statusBody } from '@/server/kube/test-api';
import { silentLog } from '@/server/log/log';
import { createLeadership } from './leadership';

/** The leases of one cluster, and any number of controllers. */
function cluster(shards = 8) {
  const stored = new Map<string, KubeObject>();
  let version = 0;
  let requests = 0;
  let refused = false;
  let hangs = false;
  const { api, clock } = scriptedApi(({ method, path, body }) => {
    requests += 1;
    const name = /leases\/([^?]+)/.exec(path)?.[1];
    if (method === 'GET' && name === undefined) {
      if (refused) return { status: 403, body: statusBody(403, 'Forbidden') };
      if (hangs) return { hang: true } as const;
      const items = [...stored.values()].filter((lease) => nameOf(lease) !== LEASE_NAME);
      return { body: { kind: 'LeaseList', apiVersion: 'coordination.k8s.io/v1', metadata: {}, items } };
    }
    const live = stored.get(name ?? '');
    if (method === 'GET')
      return live === undefined ? { status: 404, body: statusBody(404, 'NotFound') } : { body: live };
    if (method === 'DELETE') {
      stored.delete(name ?? '');
      return { body: statusBody(200, 'Success') };
    }
    const sent = JSON.parse(String(body)) as KubeObject;
    const known = stored.get(nameOf(sent));
    const isStale = method === 'PUT' && sent.metadata.resourceVersion !== known?.metadata.resourceVersion;
    if (isStale || (method === 'POST' && known !== undefined))
      return { status: 409, body: statusBody(409, 'Conflict') };
    version += 1;
    const kept = { ...sent, metadata: { ...sent.metadata, uid: nameOf(sent), resourceVersion: String(version) } };
    stored.set(nameOf(sent), kept);
    return { body: kept };
  });
  const join = (identity: string, options: { shards?: number; ends?: () => Promise<boolean> } = {}) => {
    const said: string[] = [];
    const acting = new Set<number>();
    let dead = false;
    const own = Object.assign(Object.create(clock) as VirtualClock, {
      after: (delayMs: number, run: () => void) => clock.after(delayMs, () => (dead ? undefined : run())),
    });
    const leadership = createLeadership({
      ...{ api, clock: own, random: seededRandom(identity), log: silentLog, namespace: 'default', identity },
      shards: options.shards ?? shards,
      begins: (shard) => void acting.add(shard),
      lost: (shard) => void acting.delete(shard),
      ends: async (shard) => {
        const isOver = await (options.ends?.() ?? Promise.resolve(true));
        acting.delete(shard);
        return isOver;
      },
      onShardsDiffer: (problem) => void said.push(problem ?? 'no more'),
      onLeaseRefused: (problem) => void said.push(problem ?? 'granted'),
    });
    leadership.start();
    const held = () =>
      Array.from({ length: options.shards ?? shards }, (_, shard) => shard).filter((shard) => leadership.leads(shard));
    return { leadership, acting, held, said, kill: () => (dead = true) };
  };
  const refuse = (isRefused: boolean) => (refused = isRefused);
  const hang = (isHanging: boolean) => (hangs = isHanging);
  return { clock, stored, join, requests: () => requests, refuse, hang };
}

type Member = ReturnType<ReturnType<typeof cluster>['join']>;

/** Advances in steps, and checks at each that no shard has two holders. */
async function pass(clock: VirtualClock, seconds: number, members: readonly Member[]): Promise<void> {
  for (let step = 0; step < seconds * 4; step++) {
    await clock.advance(250);
    const held = members.flatMap((member) => member.held());
    expect(new Set(held).size, 'no shard has two holders').toBe(held.length);
  }
}

const sizes = (members: readonly Member[]) => members.map((member) => member.held().length);

describe('the leases of shards', () => {
  it('are all of the only controller', async () => {
    const { clock, join, stored } = cluster();
    const one = join('one');
    await pass(clock, 5, [one]);
    expect(sizes([one])).toEqual([8]);
    expect(one.acting.size).toBe(8);
    expect([...stored.keys()].filter((name) => name.includes('-shard-'))).toHaveLength(8);
    expect(stored.get(LEASE_NAME)?.spec).toMatchObject({ holderIdentity: 'bravo-shards/8' });
  });

  it('are shared evenly when others come, each moved when its holder has released it', async () => {
    const { clock, join } = cluster();
    const members = [join('one')];
    await pass(clock, 5, members);
    for (const name of ['two', 'three', 'four']) {
      members.push(join(name));
      await pass(clock, 10, members);
    }
    expect(sizes(members)).toEqual([2, 2, 2, 2]);
    expect(members.map(({ acting }) => acting.size)).toEqual([2, 2, 2, 2]);
  });

  it('of a controller that died are held by others within 15 s', async () => {
    const { clock, join } = cluster();
    const members = ['one', 'two', 'three'].map((name) => join(name));
    await pass(clock, 20, members);
    const [dead, ...alive] = members;
    dead?.kill();
    await pass(clock, 15, alive);
    expect(alive.flatMap((member) => member.held()).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(alive.flatMap(({ acting }) => [...acting]).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('of a controller that is being stopped are held by others within 2 s', async () => {
    const { clock, join } = cluster();
    const members = ['one', 'two'].map((name) => join(name));
    await pass(clock, 20, members);
    const stopped = members[0]?.leadership.stop();
    await pass(clock, 2, members.slice(1));
    await stopped;
    expect(sizes(members)).toEqual([0, 8]);
  });

  it('wait for work that does not end until they expire', async () => {
    const { clock, join } = cluster();
    let finish: (isOver: boolean) => void = () => undefined;
    const one = join('one', { ends: () => new Promise((resolve) => (finish = resolve)) });
    await pass(clock, 5, [one]);
    const two = join('two');
    await pass(clock, 30, [one, two]);
    expect(sizes([one, two])).toEqual([8, 0]);
    finish(true);
    await pass(clock, 3, [one, two]);
    expect(two.held().length).toBeGreaterThan(0);
  });

  it('are of controllers with the same number of shards: others wait, say so, and begin when these have ended', async () => {
    const { clock, join } = cluster();
    const old = ['one', 'two'].map((name) => join(name));
    await pass(clock, 20, old);
    const fresh = join('three', { shards: 4 });
    await pass(clock, 60, old);
    expect(fresh.held()).toEqual([]);
    expect(fresh.said).toEqual([
      'waits: controllers with 8 shards act, and this one has BRAVO_SHARDS=4; it begins when they have ended',
    ]);
    const stopped = old.map(({ leadership }) => leadership.stop());
    for (let step = 0; step < 100; step++) {
      await clock.advance(250);
      if (old.some((member) => member.held().length > 0)) expect(fresh.held()).toEqual([]);
    }
    await Promise.all(stopped);
    expect(fresh.held()).toEqual([0, 1, 2, 3]);
    expect(fresh.said.at(-1)).toBe('no more');
  });

  it('wait for a controller without shards, and it for them', async () => {
    const { clock, join } = cluster();
    const plain = join('plain', { shards: 1 });
    await pass(clock, 5, [plain]);
    const sharded = join('sharded');
    await pass(clock, 30, [plain]);
    expect(sharded.held()).toEqual([]);
    expect(sharded.said[0]).toContain('a controller without shards acts');
    await plain.leadership.stop();
    await pass(clock, 10, [sharded]);
    expect(sharded.held()).toHaveLength(8);
    const again = join('plain again', { shards: 1 });
    await pass(clock, 60, [sharded]);
    expect(again.held()).toEqual([]);
  });

  it('are not lost when a list of them hangs once', async () => {
    const { clock, join, hang } = cluster();
    const one = join('one');
    await pass(clock, 10, [one]);
    hang(true);
    await pass(clock, 2, [one]);
    hang(false);
    for (let second = 0; second < 10; second++) {
      await pass(clock, 1, [one]);
      expect(one.held()).toHaveLength(8);
    }
  });

  it('are shared again after the lease of a member was deleted', async () => {
    const { clock, join, stored } = cluster();
    const members = [join('one'), join('two')];
    await pass(clock, 20, members);
    for (const name of [...stored.keys()]) if (name.includes('-member-')) stored.delete(name);
    await pass(clock, 20, members);
    expect(sizes(members)).toEqual([4, 4]);
    expect([...stored.keys()].filter((name) => name.includes('-member-'))).toHaveLength(2);
  });

  it('report a missing right, and its end', async () => {
    const { clock, join, refuse } = cluster();
    refuse(true);
    const one = join('one');
    await pass(clock, 5, [one]);
    expect(one.said).toEqual([
      expect.stringContaining('may not list, create, update or delete Leases in namespace default'),
    ]);
    refuse(false);
    await pass(clock, 21, [one]);
    expect(one.said.at(-1)).toBe('granted');
    expect(one.held()).toHaveLength(8);
  });

  it('cost each of four controllers less than 6 requests a second with 16 shards', async () => {
    const { clock, join, requests } = cluster(16);
    const members = ['one', 'two', 'three', 'four'].map((name) => join(name));
    await pass(clock, 30, members);
    const before = requests();
    await pass(clock, 60, members);
    expect((requests() - before) / 60 / 4).toBeLessThan(6);
  });
});
