'use client';

import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Timer } from '@/lib/clock/clock';
import type { ConnectionView } from '@/lib/live/store';
import { browserClock } from './clock';
import { useLive } from './live-provider';

/** The state of the event stream. */
export function useConnection(): ConnectionView {
  const { store } = useLive();
  return useSyncExternalStore(
    (listener) => store.onConnection(listener),
    () => store.connection(),
    () => store.connection(),
  );
}

/**
 * Server time in milliseconds, renewed every `everyMs`. The first render gives the time at which the server rendered, so
 * that both sides show the same words.
 */
export function useNow(everyMs: number): number {
  const { store, renderedAtMs } = useLive();
  const [nowMs, setNowMs] = useState(renderedAtMs);
  useEffect(() => {
    let timer: Timer | undefined;
    const turn = () => {
      setNowMs(store.serverNow(browserClock.now()));
      timer = browserClock.after(everyMs, turn);
    };
    turn();
    return () => timer?.cancel();
  }, [store, everyMs]);
  return nowMs;
}
