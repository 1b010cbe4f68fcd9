import type { Clock } from '@/lib/clock/clock';
import { type KubeObject, kindOf, nameOf, namespaceOf } from '@/lib/kube/object';
import type { Task } from '@/lib/kudo/types';
import type { TaskContext } from './context';
import { renderOnce } from './render-objects';

/** As many as are written at the same time. */
const AT_ONCE = 8;
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

/**
 * Renders a task and reads what it will compare with, while the write that begins its step is under way; both would be done
 * right after it, one after the other. Nothing is written. What was read is the base of a guarded patch, so one that is out of
 * date by then costs a conflict and a second read. Whatever goes wrong here is met again, and told, when the task runs.
 */
export function readAhead(task: Task, context: TaskContext): ReadAhead {
  const ahead = new ReadAhead(context.clock);
  if (task.kind === 'Apply') prepare(task, context, ahead).catch(() => undefined);
  return ahead;
}

async function prepare(task: Task, context: TaskContext, ahead: ReadAhead): Promise<void> {
  const { objects } = await renderOnce(task, context);
  // A first plan makes its objects without a look.
  if (context.isFirstPlan) return;
  for (const object of objects.slice(0, AT_ONCE)) {
    const isKnown = context.kinds.known(object.apiVersion, object.kind) !== undefined;
    const target = isKnown ? await context.kinds.targetOf(object) : undefined;
    if (target !== undefined) ahead.put(object, context.api.get(target));
  }
}

function keyOf(object: KubeObject): string {
  const { group, kind } = kindOf(object);
  return `${group}/${kind}/${namespaceOf(object)}/${nameOf(object)}`;
}
