/**
 * The shard of an Instance. Every controller of a cluster computes the same, in every version: a change of this function is a change
 * of what the leases mean.
 *
 * @param key `namespace/name`
 * @param count how many shards there are, 1 or more
 * @returns 0 to count - 1
 */
export function shardOf(key: string, count: number): number {
  return count === 1 ? 0 : hash(key) % count;
}

/**
 * Who holds which shard: rendezvous hashing with a bound. Each shard goes to the member with the highest hash of both that has not reached its share, so
 * that shares differ by one at most, and few shards move when a member comes or goes.
 *
 * @param members identities, in any order
 * @returns by shard the identity; empty without members
 */
export function assignShards(members: readonly string[], count: number): readonly string[] {
  const most = Math.ceil(count / members.length);
  const held = new Map<string, number>();
  const assigned: string[] = [];
  for (let shard = 0; shard < count && members.length > 0; shard++) {
    const free = members.filter((member) => (held.get(member) ?? 0) < most);
    const holder = free.reduce((best, member) => (ranksBefore(member, best, shard) ? member : best));
    held.set(holder, (held.get(holder) ?? 0) + 1);
    assigned.push(holder);
  }
  return assigned;
}

function ranksBefore(one: string, other: string, shard: number): boolean {
  const [a, b] = [hash(`${shard} ${one}`), hash(`${shard} ${other}`)];
  return a === b ? one > other : a > b;
}

/** FNV-1a, with the last bits mixed by murmur3's finalizer: names differ in their last letters. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
