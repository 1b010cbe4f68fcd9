/**
 * The one source of time. Production code uses {@link systemClock}; tests and the simulator use {@link VirtualClock}
 * (lib/clock/virtual-clock). Nothing else may read the time or set a timer (held by lint).
 */
export interface Clock {
  /** Wall time in milliseconds since 1970. May step backwards when somebody sets the machine's clock. */
  now(): number;
  /** Milliseconds on a clock that never steps back; only differences have a meaning. */
  monotonic(): number;
  /** Calls `run` once after `delayMs`; the result cancels it. An error in `run` is the caller's bug. */
  after(delayMs: number, run: () => void): Timer;
}

/** A running timer. `cancel` is idempotent. */
export interface Timer {
  cancel(): void;
}

/** The machine's own clock. Timers do not keep a Node process alive by themselves. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, run) {
    const handle: unknown = setTimeout(run, Math.min(delayMs, MAX_TIMER_MS));
    if (typeof handle === 'object' && handle !== null && 'unref' in handle && typeof handle.unref === 'function') {
      handle.unref();
    }
    return { cancel: () => clearTimeout(handle as ReturnType<typeof setTimeout>) };
  },
};

/** setTimeout turns longer delays into 1 ms. */
const MAX_TIMER_MS = 2_147_483_647;

/** Waits `delayMs`, or rejects with the signal's reason when it is aborted first. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason);
      return;
    }
    const onAbort = () => {
      timer.cancel();
      reject(signal?.reason);
    };
    const timer = clock.after(delayMs, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** RFC 3339 in UTC with whole seconds, as Kubernetes writes `metav1.Time`: `2026-11-21T20:24:22Z`. */
export function formatTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** RFC 3339 in UTC with milliseconds. */
export function formatMilliTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** RFC 3339 in UTC with microseconds, as Kubernetes writes `metav1.MicroTime`. */
export function formatMicroTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 23)}000Z`;
}

/** Milliseconds since 1970 of an RFC 3339 text, or undefined when it is not one. */
export function parseTime(text: string | null | undefined): number | undefined {
  if (text === null || text === undefined || text === '') return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}
