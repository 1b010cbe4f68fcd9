import { BlockedError } from '@/lib/errors/errors';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import type { TaskOutcome } from '@/lib/kudo/plan/pass';

/** The same bytes are written to the same object at most this often. */
const PAUSE_MS = 10_000;

/**
 * Remembers when a run wrote which bytes to which object. A run renders once, so writing the same bytes again means that another
 * client changed the object. When that client reverts every write at once, two controllers must not fight at full speed.
 */
export class PatchPace {
  private readonly last = new Map<string, Written>();

  /** True when the same bytes were written a moment ago. */
  isEarly(key: string, monotonicMs: number): boolean {
    const last = this.last.get(key);
    return last !== undefined && monotonicMs - last.atMs < PAUSE_MS;
  }

  /** True when the API server dropped exactly this rest of a patch before: sending it again changes nothing. */
  isLeftOut(key: string, rest: string): boolean {
    return this.last.get(key)?.rest() === rest;
  }

  /**
   * Records a write now.
   *
   * @param rest what the API server dropped (fields that a kind does not have, and null where it has a default), as the text of
   *   a patch; called when the same bytes are due again
   */
  written(key: string, atMs: number, rest: () => string): void {
    this.last.set(key, { atMs, rest });
  }
}

interface Written {
  readonly atMs: number;
  rest(): string;
}

/** Another client changes the object as often as it is applied. */
export class ContendedError extends BlockedError {
  constructor(readonly object: KubeObject) {
    super(
      `${object.kind} ${nameOf(object)}: was changed by somebody else since it was applied; it is applied again in a while`,
      'Contended',
    );
  }
}

/** The task waits until the object may be written again. */
export function contendedOutcome({ message }: ContendedError): TaskOutcome {
  return { state: 'waiting', messages: [message], waits: [{ what: message, sign: 'trouble' }] };
}
