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
  private readonly last = new Map<string, number>();

  /** True when the same was written a moment ago. */
  isEarly(key: string, monotonicMs: number): boolean {
    const last = this.last.get(key);
    return last !== undefined && monotonicMs - last < PAUSE_MS;
  }

  private readonly left = new Map<string, string>();

  /** True when the API left out this very rest of a patch when it was written before: sending it again changes nothing. */
  isLeftOut(key: string, rest: string): boolean {
    return this.left.get(key) === rest;
  }

  /** Notes what the API left out of what was written: fields that a kind does not have, and null where it has a default. */
  leftOut(key: string, rest: string): void {
    this.left.set(key, rest);
  }

  /** Notes that it was written now. */
  written(key: string, monotonicMs: number): void {
    this.last.set(key, monotonicMs);
  }
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
