import type { Clock } from '@/lib/clock/clock';
import { type KubeObject, kindOf, nameOf, namespaceOf } from '@/lib/kube/object';

/** What was read so long ago is read again. */
const FRESH_MS = 1_000;

/** Live objects that are being read, or were a moment ago; each is given once. */
export class ReadAhead {
  private readonly reads = new Map<string, { readonly live: Promise<KubeObject | undefined>; readonly atMs: number }>();

  constructor(private readonly clock: Clock) {}

  /** Keeps a read. That it fails is said to whoever takes it. */
  put(object: KubeObject, live: Promise<KubeObject | undefined>): void {
    live.catch(() => undefined);
    this.reads.set(keyOf(object), { live, atMs: this.clock.monotonic() });
  }

  /** The read of that object; undefined when there is none, it was taken, or it is not fresh any more. */
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
