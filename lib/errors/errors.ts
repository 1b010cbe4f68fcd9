type ErrorKind = 'conflict' | 'transient' | 'blocked' | 'terminal';

/** The same in every copy of this module. */
const BRAND = Symbol.for('bravo.error');

/**
 * The four kinds of failure that the product knows; every other error is a bug and is not caught.
 *
 * - `ConflictError`: somebody else changed it; read again and decide anew.
 * - `TransientError`: it may work later; try again with back-off.
 * - `BlockedError`: waits for something that has a name.
 * - `TerminalError`: it will not work; stop and say why.
 *
 * A message is one sentence for a person (what, where, what now), never holds a secret, and is at most 1 KiB.
 *
 * `instanceof` one of these five classes asks for the kind and not for the class: the server and Next's routes are compiled
 * apart, so an error that the server throws at a route was made by another copy of the same class.
 */
export abstract class BravoError extends Error {
  abstract readonly kind: ErrorKind;
  readonly [BRAND] = true;
  /** A word for machines, e.g. an event reason or a Kubernetes Status reason. */
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
  /** Earliest next try in milliseconds from now, when the server gave one (`Retry-After`). */
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

/** What `instanceof` takes for the classes of this module; subclasses elsewhere are told by their class. */
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
