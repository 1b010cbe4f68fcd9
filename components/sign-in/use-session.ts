'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { request } from '@/components/live/request';
import { onSessionEnd } from '@/components/live/session-end';
import { useConnection } from '@/components/live/use-connection';
import { onSignIn } from './session-channel';

/** `ended`: sign in again. `other`: somebody else has signed in in this browser meanwhile. */
export type SessionState =
  | { readonly kind: 'signed-in' }
  | { readonly kind: 'ended' }
  | { readonly kind: 'other'; readonly user: string };

const SIGNED_IN: SessionState = { kind: 'signed-in' };
/** Also renews what is about to expire, such as the ID token of a stream that has been open for long. */
const ASK_EVERY_MS = 60_000;

/** Whether the session of the person for whom the page was rendered goes on. Nothing of the page is thrown away when it does not. */
export function useSession(user: string): { readonly state: SessionState; readonly ask: () => void } {
  const [state, setState] = useState(SIGNED_IN);
  const queries = useQueryClient();
  const { status } = useConnection();
  const ask = useCallback(() => {
    void whoIsThere().then((now) => {
      if (now === undefined) return;
      setState(now === null ? { kind: 'ended' } : now === user ? SIGNED_IN : { kind: 'other', user: now });
    });
  }, [user]);
  useEffect(() => {
    const visible = () => document.visibilityState === 'visible' && ask();
    const timer = window.setInterval(visible, ASK_EVERY_MS);
    document.addEventListener('visibilitychange', visible);
    const stops = [onSessionEnd(ask), onSignIn(ask)];
    return () => {
      window.clearInterval(timer);
      document.removeEventListener('visibilitychange', visible);
      for (const stop of stops) stop();
    };
  }, [ask]);
  useEffect(() => {
    if (status === 'lost') ask();
  }, [status, ask]);
  const { kind } = state;
  const wasEnded = useRef(false);
  useEffect(() => {
    if (kind !== 'signed-in') wasEnded.current = true;
    if (kind !== 'signed-in' || !wasEnded.current) return;
    wasEnded.current = false;
    // What failed while nobody was signed in is asked for again, and the stream is opened at once.
    void queries.invalidateQueries({ predicate: (query) => query.state.status === 'error' });
    window.dispatchEvent(new Event('online'));
  }, [kind, queries]);
  return { state, ask };
}

/** The name of who is signed in, null for nobody, undefined when the console does not answer. */
async function whoIsThere(): Promise<string | null | undefined> {
  try {
    return (await request<{ user: string | null }>('/api/auth/me')).user;
  } catch {
    return undefined;
  }
}
