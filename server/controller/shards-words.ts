const GROUP = /^bravo-shards\/(\d+)$/;

/**
 * Why a controller with so many shards waits for the holder of Lease bravo-controller, in one sentence; undefined when it need not.
 *
 * @param holder undefined when nobody holds the lease
 */
export function shardsWords(holder: string | undefined, shards: number): string | undefined {
  const theirs = GROUP.exec(holder ?? '')?.[1];
  if (holder === undefined || holder === '' || theirs === String(shards)) return undefined;
  const others = theirs === undefined ? 'a controller without shards acts' : `controllers with ${theirs} shards act`;
  return `waits: ${others}, and this one has BRAVO_SHARDS=${shards}; it begins when they have ended`;
}
