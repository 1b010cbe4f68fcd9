import type { Clock } from '@/lib/clock/clock';
import { type KubeObject, kindOf, nameOf, namespaceOf } from '@/lib/kube/object';

/** An older read is repeated. */
const FRESH_MS = 1_000;

/** Live objects whose read is in flight or a moment old; each can be taken once. */
export class ReadAhead {
  private readonly reads = new Map<string, { readonly live: Promise<KubeObject | undefined>; readonly atMs: number }>();

  constructor(private readonly clock: Clock) {}

  /** Stores a read. Its error reaches the caller of `take`. */
  put(object: KubeObject, live: Promise<KubeObject | undefined>): void {
    live.catch(() => undefined);
    this.reads.set(keyOf(object), { live, atMs: this.clock.monotonic() });
  }

  /** The read of that object; undefined when there is none, it was taken, or it is too old. */
  take(object: KubeObject): Promise<KubeObject | undefined> | undefined {
    const key = keyOf(object);
    const read = this.reads.get(key);
    this.reads.delete(key);
    return read !== undefined && this.clock.monotonic() - read.atMs <= FRESH_MS ? read.live : undefined;
  }
}

function keyOf(object: KubeObject): string {
  const { group, kind } = kindOf(object);
  return `${group}/${kind}/${namespaceOf(object)}/${nameOf(object)}`;
}
