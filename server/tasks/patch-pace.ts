import { BlockedError } from '@/lib/errors/errors';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import type { TaskOutcome } from '@/lib/kudo/plan/pass';

/** The same bytes are written over the same object at most so often. */
const PAUSE_MS = 10_000;

/**
 * When a run last wrote what over which object. A run renders once, so writing the same again means that somebody else has
 * changed it meanwhile; whoever does that at once, every time, must not find a controller that does the same.
 */
export class PatchPace {
  private readonly last = new Map<string, Written>();

  /** True when the same was written a moment ago. */
  isEarly(key: string, monotonicMs: number): boolean {
    const last = this.last.get(key);
    return last !== undefined && monotonicMs - last.atMs < PAUSE_MS;
  }

  /** True when the API left out this very rest of a patch when it was written before: sending it again changes nothing. */
  isLeftOut(key: string, rest: string): boolean {
    return this.last.get(key)?.rest() === rest;
  }

  /**
   * Notes that it was written now.
   *
   * @param rest what the API left out of it (fields that a kind does not have, and null where it has a default), as the text of
   *   a patch; asked for when the same is to be written again
   */
  written(key: string, atMs: number, rest: () => string): void {
    this.last.set(key, { atMs, rest });
  }
}

interface Written {
  readonly atMs: number;
  rest(): string;
}

/** An object that somebody else changes as often as it is applied. */
export class ContendedError extends BlockedError {
  constructor(readonly object: KubeObject) {
    super(
      `${object.kind} ${nameOf(object)}: was changed by somebody else since it was applied; it is applied again in a while`,
      'Contended',
    );
  }
}

/** Waiting for peace. */
export function contendedOutcome({ message }: ContendedError): TaskOutcome {
  return { state: 'waiting', messages: [message], waits: [{ what: message, sign: 'trouble' }] };
}
