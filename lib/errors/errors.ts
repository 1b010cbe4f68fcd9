type ErrorKind = 'conflict' | 'transient' | 'blocked' | 'terminal';

/** The same in every copy of this module. */
const BRAND = Symbol.for('bravo.error');

/**
 * The four kinds of expected failures; every other error is a bug and is not caught.
 *
 * - `ConflictError`: the object was changed by another writer; read it again and recompute.
 * - `TransientError`: may succeed later; retry with backoff.
 * - `BlockedError`: waits for a named object or condition.
 * - `TerminalError`: will not succeed; stop and report the reason.
 *
 * A message is one sentence for a person (what happened, where, what to do), never contains a secret, and is at most 1 KiB.
 *
 * `instanceof` one of these five classes checks the kind and not the class: the server and Next's routes are compiled
 * separately, so an error that the server throws in a route belongs to another copy of the same class.
 */
export abstract class BravoError extends Error {
  abstract readonly kind: ErrorKind;
  readonly [BRAND] = true;
  /** CamelCase and machine-readable, such as an event reason or a Kubernetes Status reason. */
  readonly reason: string;

  constructor(message: string, reason: string, options?: { cause?: unknown }) {
    super(shorten(message), options);
    this.name = new.target.name;
    this.reason = reason;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: subclasses inherit this, and `this` is the class that was asked about
    const kinds = KINDS.get(this);
    // biome-ignore lint/complexity/noThisInStatic: as above
    if (kinds === undefined) return Function.prototype[Symbol.hasInstance].call(this, value);
    return isBranded(value) && kinds.includes(value.kind);
  }
}

function isBranded(value: unknown): value is { kind: ErrorKind } {
  return value instanceof Error && BRAND in value && 'kind' in value;
}

export class ConflictError extends BravoError {
  readonly kind = 'conflict';
}

export class TransientError extends BravoError {
  readonly kind = 'transient';
  /** Earliest retry in milliseconds from now, if the server sent `Retry-After`. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, reason: string, options?: { cause?: unknown; retryAfterMs?: number | undefined }) {
    super(message, reason, options);
    this.retryAfterMs = options?.retryAfterMs;
  }
}

export class BlockedError extends BravoError {
  readonly kind = 'blocked';
}

export class TerminalError extends BravoError {
  readonly kind = 'terminal';
}

/** The kinds that `instanceof` accepts for the classes of this module; other subclasses match by class. */
const KINDS = new Map<unknown, readonly ErrorKind[]>([
  [BravoError, ['conflict', 'transient', 'blocked', 'terminal']],
  [ConflictError, ['conflict']],
  [TransientError, ['transient']],
  [BlockedError, ['blocked']],
  [TerminalError, ['terminal']],
]);

const MAX_MESSAGE_CHARS = 1024;

function shorten(message: string): string {
  return message.length <= MAX_MESSAGE_CHARS ? message : `${message.slice(0, MAX_MESSAGE_CHARS - 1)}…`;
}

/** One thing that is wrong with an input: where (a path such as `params.yaml:12` or `spec.replicas`) and what. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

/** The text of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
