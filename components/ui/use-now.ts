'use client';

import { createContext, useContext, useEffect, useState } from 'react';
import { systemClock, type Timer } from '@/lib/clock/clock';

/** Where the elements of this folder take the time from. Both times are server time in milliseconds. */
export interface ServerTime {
  /** When the server rendered the page: both sides show the same words in the first render. */
  readonly renderedAtMs: number;
  readonly now: () => number;
}

const ServerTimeContext = createContext<ServerTime | undefined>(undefined);

/** Gives the time of the server to everything below it. */
export const ServerTimeProvider = ServerTimeContext.Provider;

/** Server time in milliseconds, renewed every `everyMs`. @throws Error outside of {@link ServerTimeProvider} */
export function useNow(everyMs: number): number {
  const time = useContext(ServerTimeContext);
  if (time === undefined) throw new Error('useNow is used outside of <ServerTimeProvider>.');
  const [nowMs, setNowMs] = useState(time.renderedAtMs);
  useEffect(() => {
    let timer: Timer | undefined;
    const renew = () => {
      setNowMs(time.now());
      timer = systemClock.after(everyMs, renew);
    };
    renew();
    return () => timer?.cancel();
  }, [time, everyMs]);
  return nowMs;
}
