'use client';

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { LiveProvider } from '@/components/live/live-provider';
import { RequestError } from '@/components/live/request';
import type { Preferences } from './preference-cookies';
import { PreferenceProvider } from './preferences';

/** Everything that pages expect around them: preferences, live data, server state. */
export function Providers({
  preferences,
  nowMs,
  view,
  children,
}: {
  preferences: Preferences;
  nowMs: number;
  /** As whom the page was rendered. */
  view: string;
  children: ReactNode;
}) {
  const [client] = useState(makeQueryClient);
  return (
    <PreferenceProvider initial={preferences}>
      <QueryClientProvider client={client}>
        <LiveProvider nowMs={nowMs} view={view}>
          {children}
        </LiveProvider>
      </QueryClientProvider>
    </PreferenceProvider>
  );
}

/** A refusal is an answer and is not retried; only failures that may be temporary are. */
function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // A console on this machine answers without a network too.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        staleTime: 5_000,
        refetchOnWindowFocus: false,
        retry: (failures, error) =>
          failures < 2 && error instanceof RequestError && (error.status === 0 || error.status >= 500),
      },
    },
  });
}
