'use client';

import { useEffect, useState } from 'react';
import { systemClock } from '@/lib/clock/clock';

/** A text that is still typed; undefined until it has not changed for this time. */
export function useSettled(text: string, afterMs: number): string | undefined {
  const [settled, setSettled] = useState<string>();
  useEffect(() => {
    const timer = systemClock.after(afterMs, () => setSettled(text));
    return () => timer.cancel();
  }, [text, afterMs]);
  return settled === text ? settled : undefined;
}
