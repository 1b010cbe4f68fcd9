'use client';

import { useSyncExternalStore } from 'react';
import type { ConnectionView } from '@/lib/live/store';
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
