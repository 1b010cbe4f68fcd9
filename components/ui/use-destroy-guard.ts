'use client';

import { useEffect, useState } from 'react';
import { systemClock } from '@/lib/clock/clock';

/** So that no double click, and no Enter meant for something else, reaches the button. */
const PAUSE_MS = 2_000;

/** What a dialog asks for before an action that cannot be undone. */
export interface DestroyGuard {
  readonly typed: string;
  readonly type: (text: string) => void;
  /** Why the button is disabled; undefined when the person may press it. */
  readonly block: string | undefined;
}

/** Keeps a button that destroys disabled until the name is typed, and two seconds have passed since it was asked for. */
export function useDestroyGuard(name: string, isAsked = true): DestroyGuard {
  const [typed, type] = useState('');
  const pause = useDestroyPause(isAsked);
  const isMissing = isAsked && typed !== name;
  return { typed, type, block: isMissing ? `Type ${name} to confirm.` : pause };
}

/** Why a button that destroys is disabled: for the first two seconds. */
export function useDestroyPause(isAsked = true): string | undefined {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    if (!isAsked) return undefined;
    const timer = systemClock.after(PAUSE_MS, () => setIsOver(true));
    return () => {
      timer.cancel();
      setIsOver(false);
    };
  }, [isAsked]);
  return isAsked && !isOver ? 'The button is enabled in 2 seconds.' : undefined;
}
