/**
 * What a running command asks of whoever runs it. Commands are generators: without an effect they run to their end at
 * once, so that pods without `sleep` run without the event loop, and only the clock decides the time.
 */
export type Effect =
  | { readonly kind: 'sleep'; readonly ms: number }
  /** The next chunk of the outer standard input; resumed with it, or with undefined at its end. */
  | { readonly kind: 'read' }
  /** Will never end by itself: `sleep infinity`, `tail -f /dev/null`, a server. */
  | { readonly kind: 'forever' };

export type Steps<T> = Generator<Effect, T, Uint8Array | undefined>;
