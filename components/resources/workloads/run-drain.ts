import { type Clock, sleep } from '@/lib/clock/clock';
import { messageOf } from '@/lib/errors/errors';
import type { DrainedPod } from '@/lib/kube/workloads/drain';

/** How a drain goes on, after each pass. */
export interface DrainProgress {
  /** The pods that are on the Node now. */
  readonly pods: readonly DrainedPod[];
  /** Pods that were evicted and are gone. */
  readonly gone: readonly string[];
  /** Why a pod could not be evicted, by the key of the pod. */
  readonly refused: ReadonlyMap<string, string>;
  /** True when only pods are left that stay. */
  readonly isDone: boolean;
}

/** What a drain needs of the cluster. */
interface DrainParts {
  readonly cordon: () => Promise<unknown>;
  readonly read: () => Promise<readonly DrainedPod[]>;
  /** @throws what the API server says: 429 while a budget does not allow it */
  readonly evict: (pod: DrainedPod) => Promise<unknown>;
  /** True for a pod that may be evicted: the person confirmed what is lost with it. */
  readonly mayEvict: (pod: DrainedPod) => boolean;
  readonly report: (progress: DrainProgress) => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Between two passes: pods need some seconds to end, and budgets to allow the next one. */
const PASS_MS = 2_000;

/**
 * Drains a Node: it is cordoned, then each pass evicts what its budgets allow, until only pods are left that stay. A pod that is refused is
 * tried again in the next pass; the abort signal ends the drain between two evictions.
 *
 * @throws when the Node cannot be cordoned, its pods cannot be read, or the signal aborts
 */
export async function runDrain(parts: DrainParts): Promise<void> {
  const { read, mayEvict, report, clock, signal } = parts;
  const seen = new Map<string, string>();
  await parts.cordon();
  for (;;) {
    signal.throwIfAborted();
    const pods = await read();
    for (const { uid, key, fate } of pods) if (fate === 'evict' || fate === 'leaving') seen.set(uid, key);
    const present = new Set(pods.map(({ uid }) => uid));
    const gone = [...seen].filter(([uid]) => !present.has(uid)).map(([, key]) => key);
    const moving = pods.filter((pod) => pod.fate === 'leaving' || (pod.fate === 'evict' && mayEvict(pod)));
    report({ pods, gone, refused: new Map(), isDone: moving.length === 0 });
    if (moving.length === 0) return;
    const refused = await evictAll(parts, moving);
    if (refused.size > 0) report({ pods, gone, refused, isDone: false });
    await sleep(clock, PASS_MS, signal);
  }
}

async function evictAll({ evict, signal }: DrainParts, moving: readonly DrainedPod[]): Promise<Map<string, string>> {
  const refused = new Map<string, string>();
  for (const pod of moving) {
    // The next pass reads the budget again.
    if (pod.fate !== 'evict' || pod.heldBy !== undefined) continue;
    signal.throwIfAborted();
    try {
      await evict(pod);
    } catch (error) {
      signal.throwIfAborted();
      if (!isGone(error)) refused.set(pod.key, messageOf(error));
    }
  }
  return refused;
}

/** The pod ended by itself, or another one has its name now. */
function isGone(error: unknown): boolean {
  return error instanceof Error && 'status' in error && (error.status === 404 || error.status === 409);
}
