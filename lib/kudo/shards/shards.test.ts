import { describe, expect, it } from 'vitest';
import { assignShards, shardOf } from './shards';

const members = (count: number) => Array.from({ length: count }, (_, index) => `node-${index}/7/123${index}`);

function sharesOf(assigned: readonly string[]): number[] {
  const shares = new Map<string, number>();
  for (const member of assigned) shares.set(member, (shares.get(member) ?? 0) + 1);
  return [...shares.values()];
}

describe('shardOf', () => {
  it('is 0 when there is one shard', () => expect(shardOf('demo/web', 1)).toBe(0));

  it('is the same in every version', () => {
    expect(['demo/web', 'demo/web-1', 'prod/orders'].map((key) => shardOf(key, 16))).toMatchInlineSnapshot(`
      [
        2,
        0,
        0,
      ]
    `);
  });

  it('spreads 10,000 Instances over 16 shards within 15 percent', () => {
    const sizes = new Array<number>(16).fill(0);
    for (let index = 0; index < 10_000; index++) {
      const shard = shardOf(`team-${index % 40}/app-${index}`, 16);
      sizes[shard] = (sizes[shard] ?? 0) + 1;
    }
    expect(Math.min(...sizes)).toBeGreaterThan(530);
    expect(Math.max(...sizes)).toBeLessThan(720);
  });
});

describe('assignShards', () => {
  it('gives nobody a shard without members', () => expect(assignShards([], 4)).toEqual([]));

  it('does not depend on the order of the members', () => {
    expect(assignShards(members(5).reverse(), 16)).toEqual(assignShards(members(5), 16));
  });

  it.each([1, 2, 3, 4, 5, 16, 20])(
    'gives %i members shares that differ by one at most, where each shard has one',
    (count) => {
      const assigned = assignShards(members(count), 16);
      expect(assigned).toHaveLength(16);
      expect(Math.max(...sharesOf(assigned))).toBeLessThanOrEqual(Math.ceil(16 / count));
    },
  );

  it('moves few shards besides those of a member that went', () => {
    const before = assignShards(members(4), 64);
    const after = assignShards(members(4).slice(1), 64);
    const moved = before.filter((member, shard) => member !== members(4)[0] && member !== after[shard]).length;
    expect(moved).toBeLessThan(24);
  });
});
