import type { Clock } from '@/lib/clock/clock';
import { FRESH_MS } from './may-impersonate';
import type { RequestSession } from './person-of-request';
import type { ViewAs } from './view-as';

/** A verdict is kept for this long, so that a new one is asked for a moment later. */
const ASK_EVERY_MS = FRESH_MS + 1;

export interface EndOfViewOptions {
  readonly clock: Clock;
  readonly viewAs: Pick<ViewAs, 'verdict'>;
}

/**
 * What is open does not outlast the view of another user: the result is aborted when the view ends, within about 30 s when the right to it is
 * withdrawn, or granted where it was refused, and with `signal`. While nobody answers, the last verdict counts.
 */
export function untilEndOfView(
  { viewer, user, refusedView, viewEndsMs, ...self }: RequestSession,
  signal: AbortSignal,
  { clock, viewAs }: EndOfViewOptions,
): AbortSignal {
  if (viewEndsMs === undefined || signal.aborted) return signal;
  const end = new AbortController();
  const person = refusedView?.person ?? user;
  const before = refusedView === undefined ? 'allowed' : 'refused';
  let timer = clock.after(0, () => undefined);
  const stop = () => {
    timer.cancel();
    end.abort();
  };
  const ask = async () => {
    const verdict = await viewAs.verdict(viewer ?? { user, ...self }, person);
    if (signal.aborted) return;
    if (clock.now() >= viewEndsMs || (verdict !== 'unknown' && verdict !== before)) stop();
    else askLater();
  };
  const askLater = () => {
    const delayMs = Math.min(ASK_EVERY_MS, Math.max(0, viewEndsMs - clock.now()));
    timer = clock.after(delayMs, () => void ask());
  };
  signal.addEventListener('abort', stop, { once: true });
  askLater();
  return end.signal;
}
