import { messageOf } from '@/lib/errors/errors';

/** What became of one of many objects. `skipped` was left as it is for the reason in `message`; `stopped` was not reached. */
export interface BulkOutcome<T> {
  readonly target: T;
  readonly result: 'done' | 'skipped' | 'failed' | 'stopped';
  readonly message: string | undefined;
}

export interface BulkRun<T> {
  /** Does one object. Resolves to why it was left as it is; undefined when it was done. */
  readonly act: (target: T) => Promise<string | undefined>;
  /** How many at once. */
  readonly atOnce: number;
  /** Ends the run after what is under way. */
  readonly signal: AbortSignal;
  readonly onOutcome: (outcome: BulkOutcome<T>) => void;
}

/** Does the same to many objects. One that fails does not stop the others; each has an outcome when the run is over. */
export async function runBulk<T>(targets: readonly T[], { act, atOnce, signal, onOutcome }: BulkRun<T>): Promise<void> {
  const queue = [...targets];
  const one = async (target: T): Promise<BulkOutcome<T>> => {
    if (signal.aborted) return { target, result: 'stopped', message: undefined };
    try {
      const reason = await act(target);
      return { target, result: reason === undefined ? 'done' : 'skipped', message: reason };
    } catch (error) {
      return { target, result: 'failed', message: messageOf(error) };
    }
  };
  const worker = async () => {
    for (let target = queue.shift(); target !== undefined; target = queue.shift()) onOutcome(await one(target));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
