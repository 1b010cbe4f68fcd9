'use client';

import { useEffect } from 'react';

/** Ends the record of early events once the page has taken over, and replays it. It is the last part of the page, so that all others are ready. */
export function EarlyEvents() {
  useEffect(() => {
    const early = window.bravoEarly;
    if (early === undefined) return;
    if (early.events.length === 0) early.stop();
    else void replay(early);
  }, []);
  return null;
}

/** What happens while the replay is loaded is recorded too, so that the order stays. */
async function replay(early: NonNullable<Window['bravoEarly']>): Promise<void> {
  const loaded = await import('./replay-early').catch(() => undefined);
  early.stop();
  loaded?.replayEarly(early.events);
}
