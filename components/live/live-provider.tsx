'use client';

import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { partsAsk } from '@/components/ui/load-part';
import { ServerTimeProvider } from '@/components/ui/use-now';
import type { LiveSeed } from '@/lib/live/frames';
import { LiveStore } from '@/lib/live/store';
import { browserClock } from './clock';
import { LiveConnection } from './connection';
import { request } from './request';

interface LiveContextValue {
  readonly store: LiveStore;
}

const LiveContext = createContext<LiveContextValue | undefined>(undefined);

/** Holds the live store and the one connection of a tab. Used once, in the layout of the console. */
export function LiveProvider({
  nowMs,
  view,
  children,
}: {
  nowMs: number;
  /** As whom the page was rendered. */
  view: string;
  children: ReactNode;
}) {
  const [value] = useState(() => ({ store: new LiveStore(nowMs) }));
  const [time] = useState(() => ({ renderedAtMs: nowMs, now: () => value.store.serverNow(browserClock.now()) }));
  useEffect(() => partsAsk(consoleAnswers), []);
  useEffect(() => {
    const connection = new LiveConnection(value.store, view);
    connection.start();
    return () => connection.stop();
  }, [value, view]);
  return (
    <LiveContext value={value}>
      <ServerTimeProvider value={time}>{children}</ServerTimeProvider>
    </LiveContext>
  );
}

const ANSWERS_WITHIN_MS = 5_000;

function consoleAnswers(): Promise<boolean> {
  return request('/api/health', { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) }).then(
    () => true,
    () => false,
  );
}

/** Hands the state that the server rendered with to the live store, before its children read it. */
export function Seed({ frames, children }: { frames: LiveSeed; children: ReactNode }) {
  const { store } = useLive();
  // In the first render, not in an effect: the children's first render reads it, on the server too.
  useState(() => store.seed(frames));
  return children;
}

/** The live store of the tab. Only the hooks of this folder call it. */
export function useLive(): LiveContextValue {
  const value = useContext(LiveContext);
  if (value === undefined) throw new Error('A component that shows live data must be inside <LiveProvider>.');
  return value;
}
